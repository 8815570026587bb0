// Keys of the queue. Every button and field says its key in data-key; a key presses the button or goes to the field.
"use strict";

const TYPING = "textarea, select, input:not([type=checkbox], [type=radio], [type=button])";

const work = () => document.getElementById("work");
const keysPanel = () => document.getElementById("keys");

function byKey(event) {
  const elements = [...document.querySelectorAll("#work [data-key]")];
  const typed = event.key.toLowerCase();
  const found = elements.find((element) => element.dataset.key === typed);
  if (found || typed.charCodeAt(0) < 128 || !event.code.startsWith("Key")) return found;
  // A keyboard set to Cyrillic or Greek letters: go by the place of the key.
  return elements.find((element) => element.dataset.key === event.code.slice(3).toLowerCase());
}

function nextTag(first) {
  const tags = [...document.querySelectorAll("#work .tags input")];
  const at = tags.indexOf(document.activeElement);
  (at < 0 ? first : tags[(at + 1) % tags.length]).focus();
}

function showKeys(open) {
  keysPanel().hidden = !open;
  const button = document.getElementById("do-keys");
  if (button) button.setAttribute("aria-expanded", String(open));
  if (open) keysPanel().scrollIntoView({ block: "nearest" });
}

function press(element) {
  if (element.type === "checkbox") nextTag(element);
  else if (element.matches("textarea")) element.focus();
  else element.click();
}

document.addEventListener("keydown", (event) => {
  if (event.isComposing || !work()) return;
  const field = event.target.matches(TYPING);
  if (event.key === "Escape" || (field && event.key === "Enter" && event.ctrlKey)) {
    if (field) work().focus({ preventScroll: true });
    else if (event.key === "Escape") showKeys(false);
    return;
  }
  if (field || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
  // A verdict on its way comes first; the filters may fill and a suggester may be asked meanwhile.
  if (document.querySelector(".htmx-request:not(.filters, .asking)")) return;
  const element = byKey(event);
  if (element) {
    event.preventDefault();
    press(element);
  }
});

document.addEventListener("click", (event) => {
  if (event.target.closest("#do-keys")) showKeys(keysPanel().hidden);
});

// One letter per key: what is typed replaces it.
document.addEventListener("focusin", (event) => {
  if (event.target.matches(".key")) event.target.select();
});

document.addEventListener("htmx:afterSettle", (event) => {
  const panel = keysPanel();
  if (panel && !event.target.closest("#opinion")) showKeys(!panel.hidden);
});

// The filters stay open while one narrows down.
const filters = document.querySelector(".filters");
filters.open = sessionStorage.getItem("filters") === "open";
const fill = () => filters.open && htmx.trigger(filters, "fill");
document.addEventListener("DOMContentLoaded", fill);
filters.addEventListener("toggle", () => {
  sessionStorage.setItem("filters", filters.open ? "open" : "");
  fill();
});

document.addEventListener("change", (event) => {
  const form = event.target.closest(".filters form");
  if (!form) return;
  if (event.target.name === "category") form.elements.phenomenon.value = "";
  for (const field of form.elements) field.disabled = !field.value;
}, true);
