// The pages about results: choices, the heat map, and the items behind its cells.
"use strict";

(() => {
  const { byId, describe, shade } = HeatMap;

  // Sheets close when something else is clicked, or with Escape

  const sheets = () => [...document.querySelectorAll("details.drop[open]")];

  document.addEventListener("click", (event) => {
    for (const sheet of sheets()) if (!sheet.contains(event.target)) sheet.open = false;
    const all = event.target.closest("[data-all]");
    if (!all) return;
    for (const box of all.closest(".sheet").querySelectorAll("input[type=checkbox]")) {
      box.checked = Boolean(all.dataset.all);
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !sheets().length) return;
    for (const sheet of sheets()) {
      sheet.open = false;
      sheet.querySelector("summary").focus();
    }
    event.preventDefault();
  }, { capture: true });

  // The heat map; the other pages have none

  if (!byId("results")) return;

  const choices = byId("choices");
  let data = null;
  let map = null;

  // Which cell is open, by the names of its row and column
  const placeOf = ({ row, system }) => {
    const found = data.rows[row];
    const place = { column: data.systems[system] };
    if (!found) place.average = "warnings";
    else if (!found.category) place.average = found.level;
    else Object.assign(place, { category: found.category, phenomenon: found.phenomenon });
    return place;
  };

  function cellAt({ column, category, phenomenon, average }) {
    const number = data.rows.findIndex((row) => (category
      ? row.category === category && (row.phenomenon ?? "") === (phenomenon ?? "")
      : row.level === average));
    const row = map.table.querySelector(number < 0 ? "tr[data-verdict]" : `tr[data-row="${number}"]`);
    return row.querySelector(`[data-column="${data.systems.indexOf(column)}"] > button`);
  }

  function openPlace() {
    const head = byId("panel")?.querySelector(".panel-head");
    return head ? { ...head.dataset } : null;
  }

  function fill(view) {
    const address = new URL(byId("results").dataset.cell, location.href);
    for (const [name, value] of Object.entries(placeOf(view))) if (value) address.searchParams.set(name, value);
    if (view.kinds.size === 1) address.searchParams.set("verdict", [...view.kinds][0]);
    const shown = address.pathname + address.search;
    history.replaceState(null, "", shown);
    htmx.ajax("GET", shown, { source: "#panel", target: "#panel" });
  }

  // The numbers of the cell above its items
  function tellResult() {
    const result = byId("panel").querySelector(".result");
    const cell = cellAt(openPlace());
    const numbers = cell && data.rows[cell.closest("tr").dataset.row]?.cells[cell.parentElement.dataset.column];
    result.replaceChildren(...(numbers ? describe(numbers) : []));
  }

  // Where too little is judged for an estimate there is no table
  function start() {
    map = null;
    if (!byId("data")) return;
    data = JSON.parse(byId("data").textContent);
    map = HeatMap.attach({
      data: () => data,
      fill,
      closed: () => history.replaceState(null, "", byId("results").dataset.address),
    });
    for (const row of map.table.querySelectorAll("tr[data-row]")) {
      const numbers = data.rows[row.dataset.row]?.cells;
      for (const cell of row.querySelectorAll(".upper, .lower")) shade(cell, numbers[cell.dataset.column]);
    }
  }

  function showOpened() {
    const button = cellAt(openPlace());
    if (!button) return;
    map.setOpened(button);
    tellResult();
  }

  start();
  if (openPlace()) showOpened();

  // Changed choices exchange the table; what was open stays open

  let kept = null;

  choices.addEventListener("change", (event) => {
    if (event.target.name === "campaign") {
      for (const box of document.querySelectorAll("#systems-sheet input")) box.checked = false;
    }
    if (event.target.matches("select")) choices.requestSubmit();
  });
  choices.addEventListener("submit", () => {
    for (const sheet of sheets()) {
      if (sheet.contains(document.activeElement)) sheet.querySelector("summary").focus();
      sheet.open = false;
    }
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id !== "results" || !event.detail.shouldSwap) return;
    const heat = byId("heat");
    kept = map ? {
      open: [...map.table.querySelectorAll("tbody.open > .category")].map((row) => data.rows[row.dataset.row].category),
      place: openPlace(),
      scroll: [heat.scrollLeft, heat.scrollTop],
    } : { open: [], place: null, scroll: [0, 0] };
  });

  document.addEventListener("htmx:load", (event) => {
    if (event.detail.elt.id !== "results" || !kept) return;
    start();
    history.replaceState(null, "", byId("results").dataset.address);
    byId("counted").textContent = (byId("facts") ?? byId("results")).textContent;
    const boxes = [...document.querySelectorAll("#systems-sheet input")];
    byId("systems-chosen").textContent = `${boxes.filter((box) => box.checked).length} of ${boxes.length}`;
    if (!map) return;
    for (const row of map.table.querySelectorAll("tbody > .category")) {
      if (kept.open.includes(data.rows[row.dataset.row].category)) map.setOpen(row.parentElement, true);
    }
    map.showOpenAll();
    map.makeReachable();
    [byId("heat").scrollLeft, byId("heat").scrollTop] = kept.scroll;
    const cell = kept.place && data.systems.includes(kept.place.column) ? cellAt(kept.place) : null;
    kept = null;
    if (cell) map.openCell(cell, { quiet: true });
  });

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target.id === "panel") tellResult();
  });
})();
