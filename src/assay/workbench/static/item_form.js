// Forms of items and guidelines: what is wrong keeps Save shut, comments can be taken over, leaving asks first.
"use strict";

let dirty = false;

document.addEventListener("input", (event) => {
  if (event.target.closest(".written-form")) dirty = true;
});

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id !== "lint") return;
  const told = document.querySelector("#lint [data-can-save]");
  document.getElementById("save").disabled = told.dataset.canSave !== "yes";
});

document.addEventListener("click", (event) => {
  const text = event.target.dataset.take;
  if (text === undefined) return;
  const guideline = document.getElementById("guideline");
  guideline.value = [guideline.value.trimEnd(), text].filter(Boolean).join("\n");
  dirty = true;
  guideline.focus();
});

// Ctrl+Enter saves, as in the rule editor.
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.ctrlKey && event.target.closest(".written-form")) {
    event.preventDefault();
    document.getElementById("save").click();
  }
});

// A save that worked leads to another page.
document.addEventListener("htmx:beforeOnLoad", (event) => {
  if (event.detail.xhr.getResponseHeader("HX-Redirect")) dirty = false;
});

window.addEventListener("beforeunload", (event) => {
  if (dirty) event.preventDefault();
});
