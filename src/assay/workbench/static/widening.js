// The offer of a wider rule: Y takes it, N leaves it, before any other key that these letters may be.
"use strict";

document.addEventListener("keydown", (event) => {
  const pressed = { y: "do-take", n: "do-leave" }[event.key.toLowerCase()];
  const button = pressed && document.getElementById(pressed);
  if (!button || event.isComposing || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=button])")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  button.click();
}, true);
