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

document.addEventListener("htmx:responseError", (event) => {
  const parsed = new DOMParser().parseFromString(event.detail.xhr.responseText, "text/html");
  tell(parsed.body.textContent.trim() || "The server refused this.");
});
document.addEventListener("htmx:sendError", () => tell("The server does not answer. Nothing was recorded; try again."));
document.addEventListener("htmx:beforeRequest", () => tell(""));
