// What all pages share: selects that submit their form, and messages of failed requests.
"use strict";

document.addEventListener("change", (event) => {
  if (event.target.matches("select[data-submit]")) event.target.form.submit();
});

const problem = () => document.getElementById("problem");

function tell(text) {
  problem().textContent = text;
  problem().hidden = !text;
  if (text) problem().scrollIntoView({ block: "nearest" });
}

// A page that asks again by itself says nothing about that, and leaves what was told of something else.
const asksAgain = (event) => event.detail.elt.matches(".asking");

document.addEventListener("htmx:responseError", (event) => {
  if (asksAgain(event)) return;
  const parsed = new DOMParser().parseFromString(event.detail.xhr.responseText, "text/html");
  tell(parsed.body.textContent.trim() || "The server refused this.");
});
document.addEventListener("htmx:sendError", (event) => {
  if (!asksAgain(event)) tell("The server does not answer. Nothing was recorded; try again.");
});
document.addEventListener("htmx:beforeRequest", (event) => {
  if (!asksAgain(event)) tell("");
});
