// Times in the reader's time zone; keys on the page of disagreements; forms that start anew, progress of uploads.
"use strict";

const two = (number) => String(number).padStart(2, "0");

function localTimes(root) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    time.textContent =
      `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
  }
}

localTimes(document);
document.addEventListener("htmx:afterSettle", () => localTimes(document));

// Disagreements

const cases = document.getElementById("cases");

if (cases) {
  const open = () => [...cases.querySelectorAll("article:not(.decided)")];
  const focused = () => document.activeElement.closest("article");
  const here = () => focused() ?? open()[0];
  let decidedLast = null;
  // The case that a key decides is always to be seen.
  addEventListener("DOMContentLoaded", () => go(open()[0]));

  const go = (article) => {
    if (!article) return;
    article.focus({ preventScroll: true });
    article.scrollIntoView({ block: "nearest" });
  };

  const step = (by) => {
    const all = [...cases.querySelectorAll("article")];
    const at = all.indexOf(focused());
    go(at < 0 ? open()[0] : all[Math.min(Math.max(at + by, 0), all.length - 1)]);
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.matches("textarea, input, select")) {
      if (event.key === "Escape") go(here());
      return;
    }
    const key = event.key.toLowerCase();
    if (key === "j") step(1);
    else if (key === "k") step(-1);
    else if (key === "u") document.getElementById(decidedLast)?.querySelector("[data-act=u]")?.click();
    else if ("pfc".includes(key) && key.length === 1) {
      const act = here()?.querySelector(`[data-act=${key}]`);
      if (!act) return;
      if (key === "c") act.focus();
      else act.click();
    } else return;
    event.preventDefault();
  });

  // What takes the place of a case: its decision, or the case again.
  document.addEventListener("htmx:load", (event) => {
    const article = event.detail.elt;
    if (!article.matches("article.case")) return;
    if (!article.classList.contains("decided")) {
      decidedLast = null;
      go(article);
      return;
    }
    decidedLast = article.id;
    for (const button of cases.querySelectorAll("[data-act=u]")) button.hidden = button.closest("article") !== article;
    let next = article.nextElementSibling;
    while (next && next.classList.contains("decided")) next = next.nextElementSibling;
    go(next || open()[0] || article);
  });
}

// Uploads: how far a large one is, and what became of it.

document.addEventListener("htmx:load", (event) => {
  const told = event.detail.elt.matches("#report > .told") ? event.detail.elt : finishedRun(event.detail.elt);
  if (!told) return;
  told.focus({ preventScroll: true });
  told.scrollIntoView({ block: "nearest" });
});

// A run of contrasts that has just ended; one that is shown again when the page is opened takes no focus.
let running = false;

function finishedRun(element) {
  if (!element.matches("#run")) return null;
  const ended = running && element.querySelector(".told");
  running = Boolean(element.querySelector("#run-progress"));
  return ended || null;
}

document.addEventListener("htmx:xhr:progress", (event) => {
  const bar = event.target.querySelector?.("progress");
  if (!bar || !event.detail.lengthComputable) return;
  bar.max = event.detail.total;
  bar.value = event.detail.loaded;
  bar.hidden = event.detail.total < 1e6;
});
document.addEventListener("htmx:afterRequest", (event) => {
  const bar = event.target.querySelector?.("progress");
  if (bar) bar.hidden = true;
  if (event.detail.successful && event.target.matches("form[data-reset]")) event.target.reset();
});
