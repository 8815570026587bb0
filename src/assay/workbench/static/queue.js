// Keys of the queue. Every button and field says its key in data-key; a key presses the button or goes to the field.
// Rows of a card and of a list are gone through with J and K; the current one is what a verdict is about.
"use strict";

const TYPING = "textarea, select, input:not([type=checkbox], [type=radio], [type=button])";

// Whoever taps twice has judged once: the next text has not been read yet.
const DEAD = 300;

const work = () => document.getElementById("work");
const keysPanel = () => document.getElementById("keys");

// Rows

const rows = () => [...document.querySelectorAll("#work .rows .row")];
const current = () => document.querySelector("#work .row.current");

function choose(row) {
  if (!row) return;
  for (const other of rows()) {
    other.classList.toggle("current", other === row);
    if (other === row) other.setAttribute("aria-current", "true");
    else other.removeAttribute("aria-current");
  }
  const { text, row: texts, place, item, seen } = row.dataset;
  const answer = document.getElementById("answer");
  const set = (name, value) => {
    const field = answer.querySelector(`input[name=${name}]`);
    if (field && value !== undefined) field.value = value;
  };
  set("text", text);
  set("row", texts);
  for (const field of answer.querySelectorAll("input[name=seen]")) field.remove();
  for (const name of (seen || "").split(" ").filter(Boolean)) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name: "seen", value: name });
    answer.prepend(field);
  }
  if (place) for (const panel of document.querySelectorAll("#work [data-panel]")) panel.hidden = panel.dataset.place !== place;
  for (const said of document.querySelectorAll("#work [data-of]")) said.hidden = said.dataset.of !== text;
  const source = document.getElementById("list-source");
  if (source) source.textContent = row.dataset.source;
  const rules = document.getElementById("do-rules");
  if (rules && item) rules.href = `/item/${item.split("/").map(encodeURIComponent).join("/")}${rules.search}`;
  row.scrollIntoView({ block: "nearest" });
}

function step(by) {
  const all = rows();
  if (all.length) choose(all[Math.min(Math.max(all.indexOf(current()) + by, 0), all.length - 1)]);
}

// A text out of a list, or back; of a row with other spellings each by itself.
function takeOut(row) {
  if (!row) return;
  const out = row.querySelector("input[name=out]");
  if (out) {
    out.disabled = !out.disabled;
    row.classList.toggle("out", !out.disabled);
    row.querySelector(".take-out").setAttribute("aria-pressed", String(!out.disabled));
    return;
  }
  const variants = row.querySelectorAll("[data-variant]");
  if (!variants.length) return;
  for (const variant of variants) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name: "out", value: variant.dataset.variant });
    document.getElementById("split").append(field);
  }
  document.getElementById("do-split").click();
}

document.addEventListener("click", (event) => {
  const row = event.target.closest("#work .row");
  if (!row) return;
  choose(row);
  if (event.target.closest(".take-out")) takeOut(row);
});

// Keys

function byKey(event) {
  const elements = [...document.querySelectorAll("#work [data-key]")];
  const typed = event.key.toLowerCase();
  if (event.shiftKey) {
    const found = document.querySelector(`#work [data-shift="${CSS.escape(typed)}"]`);
    if (found) return found;
  }
  const found = elements.find((element) => element.dataset.key === typed || element.dataset.also === typed);
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
  else if (!element.matches(".verdict-key") || work().hasAttribute("data-ready")) element.click();
}

// Keys that nobody chooses; returns whether the key was one of them.
function fixed(key) {
  if (key === "j" || key === "arrowdown") step(1);
  else if (key === "k" || key === "arrowup") step(-1);
  else if (key === "x") takeOut(current());
  else if (key === "d") document.querySelector("#work section.near:not([hidden]) .doubt")?.click();
  else if (key === "/") openFilters();
  else return false;
  return true;
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
  // A button or a link that was gone to with the tab key is pressed as everywhere.
  if (event.key === "Enter" && event.target.closest("button, a, summary")) return;
  // A verdict on its way comes first; the filters may fill and a suggester may be asked meanwhile.
  if (document.querySelector(".htmx-request:not(.filters, .asking)")) return;
  const element = byKey(event);
  if (element) press(element);
  if (element || fixed(event.key.toLowerCase())) event.preventDefault();
});

document.addEventListener("click", (event) => {
  if (event.target.closest("#do-keys")) showKeys(keysPanel().hidden);
});

// One letter per key: what is typed replaces it.
document.addEventListener("focusin", (event) => {
  if (event.target.matches(".key")) event.target.select();
});

// A card that has just come

const shown = () => document.querySelector("#work input[name=text]")?.value;
let before = null;

function arrived() {
  const panel = work();
  if (!panel) return;
  restoreDraft();
  if (shown() === before) panel.setAttribute("data-ready", "");
  else setTimeout(() => panel.setAttribute("data-ready", ""), before === null ? 0 : DEAD);
  before = shown();
}

document.addEventListener("htmx:afterSettle", (event) => {
  const panel = keysPanel();
  if (event.target.closest?.("#opinion")) return;
  if (panel) showKeys(!panel.hidden);
  if (event.target.id === "work" || event.detail.elt?.id === "work") arrived();
});

// Drafts: what was written beside a verdict is there again after a look at the rules.

const draftOf = (text) => `draft ${location.host} ${text}`;

function keepDraft() {
  const comment = document.getElementById("comment");
  if (!comment || !shown()) return;
  const tags = [...document.querySelectorAll("#work .tags input:checked")].map((tag) => tag.value);
  if (comment.value || tags.length) sessionStorage.setItem(draftOf(shown()), JSON.stringify([comment.value, tags]));
  else sessionStorage.removeItem(draftOf(shown()));
}

function restoreDraft() {
  const comment = document.getElementById("comment");
  const kept = comment && !comment.value && sessionStorage.getItem(draftOf(shown()));
  if (!kept) return;
  const [text, tags] = JSON.parse(kept);
  comment.value = text;
  for (const tag of document.querySelectorAll("#work .tags input")) tag.checked = tags.includes(tag.value);
}

document.addEventListener("input", (event) => {
  if (event.target.closest("#answer")) keepDraft();
});
document.addEventListener("htmx:afterRequest", (event) => {
  const judged = event.detail.successful && /^\/queue\/(judge|rows)/.test(event.detail.pathInfo?.requestPath ?? "");
  if (judged) sessionStorage.removeItem(draftOf(before));
});

document.addEventListener("DOMContentLoaded", arrived);

// The filters stay open while one narrows down; they are applied together, by Enter or the button.

const filters = document.querySelector(".filters");

function openFilters() {
  if (!filters) return;
  filters.open = true;
  const first = filters.querySelector("select, input:not([type=hidden])");
  (first ?? filters.querySelector("summary")).focus();
}

if (filters) {
  filters.open = sessionStorage.getItem("filters") === "open";
  const fill = () => filters.open && htmx.trigger(filters, "fill");
  document.addEventListener("DOMContentLoaded", fill);
  filters.addEventListener("toggle", () => {
    sessionStorage.setItem("filters", filters.open ? "open" : "");
    fill();
  });
  filters.addEventListener("htmx:afterSettle", () => {
    if (filters.contains(document.activeElement)) openFilters();
  });
  filters.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches("select")) {
      event.preventDefault();
      filters.querySelector("form").requestSubmit();
    }
  });
  filters.addEventListener("change", (event) => {
    const form = event.target.form;
    if (event.target.name === "category" && form.elements.phenomenon) form.elements.phenomenon.value = "";
  });
  filters.addEventListener("submit", (event) => {
    for (const field of event.target.elements) field.disabled = !field.value;
  });
}
