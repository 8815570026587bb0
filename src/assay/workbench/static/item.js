// The rule editor: rows come, go and move; every change asks the server what it would do.
"use strict";

const list = () => document.getElementById("rule-list");
let rows = 0;
let dirty = false;

function changed() {
  dirty = true;
  list().dispatchEvent(new Event("input", { bubbles: true }));
}

// Pass rules stand before fail rules.
function rowsOf(polarity) {
  return [...list().children].filter((row) => row.querySelector("[name=polarity]").value === polarity);
}

function addRow({ polarity = "pass", kind = "regex", value = "" } = {}) {
  const row = document.getElementById("new-row").content.firstElementChild.cloneNode(true);
  const id = `n${++rows}`;
  row.querySelector("[name=row]").value = id;
  row.querySelector(".status").id = `status-${id}`;
  row.querySelector("[name=value]").setAttribute("aria-describedby", `status-${id}`);
  row.querySelector("[name=polarity]").value = polarity;
  row.querySelector("[name=kind]").value = kind;
  row.querySelector("[name=value]").value = value;
  const alike = rowsOf(polarity);
  if (alike.length) alike.at(-1).after(row);
  else if (polarity === "pass") list().prepend(row);
  else list().append(row);
  tint(row);
  hint(row);
  row.querySelector("[name=value]").focus();
  row.scrollIntoView({ block: "center" });
  changed();
}

function tint(row) {
  const select = row.querySelector("[name=polarity]");
  select.className = select.value;
}

// What to write behind a kind; one that needs no argument gets the one it has.
function hint(row) {
  const kind = row.querySelector("[name=kind]").selectedOptions[0];
  const value = row.querySelector("[name=value]");
  const filled = [...row.querySelector("[name=kind]").options].some((other) => value.value && value.value === other.dataset.argument);
  if (!value.value || filled) value.value = kind.dataset.argument;
  value.placeholder = kind.title;
}

function move(row, where) {
  const button = document.activeElement;
  const alike = rowsOf(row.querySelector("[name=polarity]").value);
  const at = alike.indexOf(row);
  if (where === "up" && at > 0) alike[at - 1].before(row);
  else if (where === "down" && at < alike.length - 1) alike[at + 1].after(row);
  else if (where === "out") {
    const next = row.nextElementSibling || row.previousElementSibling;
    row.remove();
    const tool = next && next.querySelector("[data-move=out]");
    (tool || document.querySelector("[data-add]")).focus();
  } else return;
  if (where !== "out") button.focus();
  changed();
}

// Somebody else saved meanwhile: their rules with this change in them come into the editor, made from their version.
function merge(button) {
  list().replaceChildren(document.getElementById("merged").content.cloneNode(true));
  document.querySelector("#editor [name=base]").value = button.dataset.base;
  document.getElementById("conflict").replaceChildren();
  changed();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.add) addRow({ polarity: button.dataset.add });
  else if (button.dataset.move) move(button.closest("[data-row]"), button.dataset.move);
  else if ("use" in button.dataset) addRow(button.dataset);
  else if ("merge" in button.dataset) merge(button);
});

document.addEventListener("input", (event) => {
  const row = event.target.closest("[data-row]");
  if (row) {
    dirty = true;
    tint(row);
    if (event.target.name === "kind") hint(row);
  }
});

document.addEventListener("change", (event) => {
  const chosen = "all" in event.target.dataset ? "" : "changing" in event.target.dataset ? "[data-changes]" : null;
  if (chosen !== null) {
    const boxes = document.querySelectorAll(`#siblings [name=sibling]:enabled${chosen}`);
    for (const box of boxes) box.checked = event.target.checked;
  }
});

// A rule is one line: Enter leaves it, Ctrl+Enter saves.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.closest("#editor")) return;
  if (event.ctrlKey) {
    event.preventDefault();
    document.getElementById("save").click();
  } else if (event.target.matches("textarea, input")) event.preventDefault();
});

// Back to the queue without the mouse.
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "q" || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.matches("textarea, select, input:not([type=checkbox])")) return;
  document.getElementById("to-queue")?.click();
});

document.addEventListener("htmx:afterSettle", (event) => {
  const told = document.getElementById("can-save");
  if (told) document.getElementById("save").disabled = told.dataset.canSave !== "yes";
  if (event.detail.elt.id === "item") dirty = false;
});

window.addEventListener("beforeunload", (event) => {
  const told = document.getElementById("can-save");
  if (dirty && told && told.dataset.canSave === "yes") event.preventDefault();
});

document.addEventListener("click", (event) => {
  if (event.target.id === "discard") dirty = false;
});
