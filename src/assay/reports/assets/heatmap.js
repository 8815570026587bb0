/* The heat map of the report and of the workbench: open, sort and filter its rows, move between its cells, show their
   intervals, open their panel. Texts enter the page as text nodes only. */
"use strict";

const HeatMap = (() => {
  const TIP_DELAY = 100;
  const VERDICTS = ["fail", "warning", "pass"];
  const [CORRECT, TOTAL, ACCURACY, LOW, HIGH, LOWER, UPPER, CLUSTER, P] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const [LOW_HERE, HIGH_HERE] = [9, 10]; // of estimates alone

  const byId = (id) => document.getElementById(id);
  const percent = (value) => (value === null ? "–" : (100 * value).toFixed(1));
  const count = (number) => number.toLocaleString("en");

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  function icon(verdict) {
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    svg.setAttribute("class", `icon ${verdict}`);
    svg.setAttribute("aria-hidden", "true");
    const use = document.createElementNS(space, "use");
    use.setAttribute("href", `#${verdict}`);
    svg.append(use);
    return svg;
  }

  // What the numbers of a cell say

  function shade(element, numbers) {
    for (const [name, place] of [["a", ACCURACY], ["l", LOW], ["h", HIGH]]) {
      if (numbers[place] !== null) element.style.setProperty(`--${name}`, numbers[place]);
    }
    return element;
  }

  const bar = (numbers) => shade(make("div", { class: "bar", "aria-hidden": "true" }, make("i")), numbers);

  function standing(numbers) {
    if (numbers[CLUSTER]) return "first cluster";
    if (numbers[P] === null) return "";
    return `worse than the best, p ${numbers[P] < 0.0001 ? "< 0.0001" : `= ${numbers[P].toPrecision(2)}`}`;
  }

  function describe(numbers) {
    const lines = [];
    const right = numbers[CORRECT] === null ? "" : `${count(numbers[CORRECT])} of `;
    const of = numbers[TOTAL] === null ? "" : `${right}${count(numbers[TOTAL])} items`;
    const head = make("div", {}, make("b", {}, percent(numbers[ACCURACY])), " ");
    head.append(make("span", { class: "of" }, [of, standing(numbers)].filter(Boolean).join(" · ")));
    lines.push(head);
    if (numbers[LOW] !== null) {
      lines.push(bar(numbers));
      lines.push(make("div", {}, `95 % interval ${percent(numbers[LOW])} to ${percent(numbers[HIGH])}`));
    }
    if ((numbers[LOW_HERE] ?? null) !== null) {
      lines.push(make("div", {}, `for these very items ${percent(numbers[LOW_HERE])} to ${percent(numbers[HIGH_HERE])}`));
    }
    if (numbers[LOWER] !== null) {
      const bounds = `${percent(numbers[LOWER])} to ${percent(numbers[UPPER])}`;
      lines.push(make("div", { class: "of" }, `bounds on all items found ${bounds}`));
    }
    return lines;
  }

  // Bring the table that is in the page to life. `data` returns the rows and systems; `fill` puts the items of a cell
  // into the panel, `closed` is told when the panel closes. `attach` again after the table was exchanged.

  let before = new AbortController();

  function attach({ data, fill, closed = () => {} }) {
    before.abort();
    const { signal } = (before = new AbortController());
    // For what stays when the table is exchanged.
    const on = (target, name, handler) => target.addEventListener(name, handler, { signal, passive: name === "scroll" });
    const heat = byId("heat");
    const table = heat.querySelector("table");
    const panel = byId("panel");
    const split = panel.parentElement;
    const tip = byId("tip");

    // Categories open to phenomena

    const blocks = () => [...table.querySelectorAll("tbody.block")];
    const original = blocks().map((block) => ({ block, rows: [...block.rows] }));
    const openAll = byId("open-all");

    function setOpen(block, open) {
      block.classList.toggle("open", open);
      block.querySelector(".toggle").setAttribute("aria-expanded", String(open));
    }

    function showOpenAll() {
      const all = blocks().every((block) => block.classList.contains("open"));
      openAll.setAttribute("aria-pressed", String(all));
    }

    on(openAll, "click", () => {
      const open = openAll.getAttribute("aria-pressed") !== "true";
      blocks().forEach((block) => setOpen(block, open));
      showOpenAll();
      makeReachable();
    });

    // The filter

    const filter = byId("filter");

    function applyFilter() {
      const wanted = filter.value.trim().toLowerCase();
      let shown = 0;
      for (const { block, rows } of original) {
        const [category, ...phenomena] = rows;
        const says = (row) => row.cells[0].textContent.toLowerCase().includes(wanted);
        const whole = says(category);
        const hits = phenomena.filter((row) => whole || says(row));
        phenomena.forEach((row) => (row.hidden = !hits.includes(row)));
        block.hidden = !whole && !hits.length;
        shown += block.hidden ? 0 : 1;
        if (wanted && !whole && hits.length) setOpen(block, true);
      }
      byId("shown").textContent = wanted ? `${shown} of ${original.length} categories` : "";
      showOpenAll();
      makeReachable();
    }

    on(filter, "input", applyFilter);
    on(filter.form, "submit", (event) => event.preventDefault());

    // Sorting: categories among themselves, phenomena within their category; averages stay where they are

    let sorted = { head: null, direction: 0 };

    function sortKey(head) {
      const index = head.cellIndex;
      if (head.classList.contains("label")) return (row) => row.cells[0].textContent.trim().toLowerCase();
      if (!head.classList.contains("system")) {
        return (row) => {
          const number = parseFloat(row.cells[index].textContent.replace(/,/g, ""));
          return Number.isNaN(number) ? null : number;
        };
      }
      return (row) => data().rows[row.dataset.row].cells[head.dataset.column][ACCURACY];
    }

    function comparing(key, direction) {
      return (one, other) => {
        const [a, b] = [key(one), key(other)];
        if (a === null || b === null) return (a === null) - (b === null);
        if (typeof a === "string") return -direction * a.localeCompare(b);
        return direction * (b - a);
      };
    }

    function sortBy(head) {
      const direction = sorted.head === head ? { 1: -1, [-1]: 0, 0: 1 }[sorted.direction] : 1;
      table.querySelectorAll("[aria-sort]").forEach((other) => other.removeAttribute("aria-sort"));
      // A first click shows the best first, and names from A to Z.
      const up = head.classList.contains("label") ? -1 : 1;
      sorted = { head, direction };
      if (direction) head.setAttribute("aria-sort", direction * up > 0 ? "descending" : "ascending");
      const compare = direction ? comparing(sortKey(head), direction * up) : () => 0;
      const order = [...original].sort((a, b) => compare(a.rows[0], b.rows[0]));
      const anchor = table.querySelector("tbody.average");
      for (const { block, rows } of order) {
        table.insertBefore(block, anchor);
        block.append(rows[0], ...rows.slice(1).sort(compare));
      }
    }

    // Moving: one cell is in the tab order, arrow keys reach the others

    const cells = (row) => [...row.querySelectorAll(".cell:not([hidden]) > button")];
    const rows = () => [...table.tBodies].filter((body) => !body.hidden)
      .flatMap((body) => [...body.rows])
      .filter((row) => row.getClientRects().length && row.querySelector(".cell > button"));

    let reachable = null;

    function makeReachable(button = reachable) {
      const visible = button && button.getClientRects().length ? button : rows().flatMap(cells)[0] ?? null;
      if (reachable) reachable.tabIndex = -1;
      if (visible) visible.tabIndex = 0;
      reachable = visible;
    }

    function neighbour(button, key) {
      const row = button.closest("tr");
      const line = cells(row);
      const place = line.indexOf(button);
      if (key === "ArrowRight") return line[place + 1];
      if (key === "ArrowLeft") return line[place - 1];
      if (key === "Home") return line[0];
      if (key === "End") return line.at(-1);
      const lines = rows();
      const next = lines[lines.indexOf(row) + (key === "ArrowDown" ? 1 : -1)];
      return next && cells(next)[place];
    }

    const MOVES = ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "Home", "End"];

    table.addEventListener("keydown", (event) => {
      const button = event.target.closest(".cell > button");
      if (!button || !MOVES.includes(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      const next = neighbour(button, event.key);
      if (!next) return;
      next.focus();
      if (!panel.hidden) openCell(next, { follow: true });
    });

    table.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      if (button.classList.contains("toggle")) {
        const block = button.closest("tbody");
        setOpen(block, !block.classList.contains("open"));
        showOpenAll();
        makeReachable();
      } else if (button.parentElement.classList.contains("cell")) {
        openCell(button);
      } else {
        sortBy(button.parentElement);
      }
    });

    // The interval of the cell pointed at

    let waiting = 0;

    function numbersOf(button) {
      const row = data().rows[button.closest("tr").dataset.row];
      return row ? row.cells[button.parentElement.dataset.column] : null;
    }

    function showTip(button) {
      const numbers = numbersOf(button);
      if (!numbers) return;
      tip.replaceChildren(...describe(numbers));
      tip.hidden = false;
      const [cell, size] = [button.getBoundingClientRect(), tip.getBoundingClientRect()];
      const below = cell.bottom + 8 + size.height < innerHeight;
      const left = Math.max(8, Math.min(cell.left, document.documentElement.clientWidth - size.width - 8));
      tip.style.left = `${left}px`;
      tip.style.top = `${below ? cell.bottom + 8 : cell.top - size.height - 8}px`;
    }

    function hideTip() {
      clearTimeout(waiting);
      tip.hidden = true;
    }

    table.addEventListener("mouseover", (event) => {
      const button = event.target.closest(".cell > button");
      hideTip();
      if (button) waiting = setTimeout(() => showTip(button), TIP_DELAY);
    });
    table.addEventListener("mouseleave", hideTip);
    heat.addEventListener("scroll", hideTip, { passive: true });
    on(window, "scroll", hideTip);
    table.addEventListener("focusin", (event) => {
      const button = event.target.closest(".cell > button");
      if (!button) return;
      makeReachable(button);
      button.setAttribute("aria-describedby", "tip");
      if (button.matches(":focus-visible")) showTip(button);
    });
    table.addEventListener("focusout", (event) => {
      event.target.removeAttribute("aria-describedby");
      hideTip();
    });

    // The panel: what the system wrote for the items of the row

    let opened = null;

    function setOpened(button) {
      opened?.removeAttribute("aria-current");
      opened = button;
      opened.setAttribute("aria-current", "true");
      if (button.closest("tr.phenomenon")) setOpen(button.closest("tbody"), true);
      makeReachable(button);
    }

    function openCell(button, { follow = false, quiet = false } = {}) {
      hideTip();
      setOpened(button);
      const row = button.closest("tr");
      const system = Number(button.parentElement.dataset.column);
      const kinds = new Set(row.dataset.verdict ? [row.dataset.verdict] : VERDICTS);
      fill({ row: row.dataset.row, label: row.cells[0].textContent.trim(), system, kinds });
      panel.hidden = false;
      split.classList.add("beside");
      panel.scrollTop = 0;
      if (quiet) return;
      const below = panel.getBoundingClientRect().left <= heat.getBoundingClientRect().left;
      button.scrollIntoView({ block: "nearest", inline: "nearest" });
      if (below && !follow) {
        panel.focus({ preventScroll: true });
        panel.scrollIntoView({ block: "start" });
      } else {
        button.focus({ preventScroll: true });
      }
    }

    function closePanel() {
      if (panel.hidden) return;
      panel.hidden = true;
      split.classList.remove("beside");
      panel.replaceChildren();
      opened.removeAttribute("aria-current");
      opened.focus();
      opened = null;
      closed();
    }

    panel.addEventListener("click", (event) => {
      if (event.target.closest(".close")) closePanel();
    });
    on(document, "keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      if (event.target === filter && filter.value) return;
      if (!panel.hidden) closePanel();
      else hideTip();
    });

    // The first row and column are sticky: what is scrolled to must not lie under them.
    const corner = table.rows[0].cells[0];
    const watching = new ResizeObserver(() => {
      const { style } = document.documentElement;
      style.setProperty("--corner", `${corner.offsetHeight}px 0 0 ${corner.offsetWidth}px`);
    });
    watching.observe(corner);
    on(signal, "abort", () => watching.disconnect());

    for (const button of table.querySelectorAll(".cell > button")) button.tabIndex = -1;
    applyFilter();
    return { table, openCell, setOpened, makeReachable, setOpen, showOpenAll };
  }

  // The signature

  async function copySignature() {
    const code = byId("signature");
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      getSelection().selectAllChildren(code);
      document.execCommand("copy");
    }
    byId("copied").textContent = "copied";
    setTimeout(() => (byId("copied").textContent = ""), 2000);
  }

  document.addEventListener("click", (event) => {
    if (event.target.id === "copy") copySignature();
  });

  return { attach, byId, make, icon, count, describe, shade, VERDICTS };
})();
