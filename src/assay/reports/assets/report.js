/* The report's behaviour: open, sort and filter the table, show a cell's items. Texts enter the page as text nodes only. */
"use strict";

(() => {
  const CHUNK = 40;
  const TIP_DELAY = 100;
  const VERDICTS = ["fail", "warning", "pass"];
  const REASONS = {
    no_match: "no rule matched",
    contradiction: "pass and fail rules matched",
    missing: "output missing",
    timeout: "a rule ran out of time",
  };
  const [TEXT, VERDICT, REASON, EVIDENCE] = [0, 1, 2, 3];
  const [CORRECT, TOTAL, ACCURACY, LOW, HIGH, LOWER, UPPER, CLUSTER, P] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

  const byId = (id) => document.getElementById(id);
  const heat = byId("heat");
  const table = heat.querySelector("table");
  const panel = byId("panel");
  const split = panel.parentElement;
  const tip = byId("tip");

  let parsed = null;
  const data = () => (parsed ??= JSON.parse(byId("data").textContent));

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

  openAll.addEventListener("click", () => {
    const open = openAll.getAttribute("aria-pressed") !== "true";
    blocks().forEach((block) => setOpen(block, open));
    showOpenAll();
    makeReachable();
  });

  // Filters

  const filter = byId("filter");
  const boxes = [...document.querySelectorAll("#systems-filter input")];

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

  function applySystems() {
    const chosen = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    for (const cell of table.querySelectorAll("[data-column]")) cell.hidden = !chosen.has(cell.dataset.column);
    byId("systems-shown").textContent = `${chosen.size} of ${boxes.length}`;
    makeReachable();
  }

  filter.addEventListener("input", applyFilter);
  filter.form.addEventListener("submit", (event) => event.preventDefault());
  boxes.forEach((box) => box.addEventListener("change", applySystems));
  for (const button of document.querySelectorAll("[data-all]")) {
    button.addEventListener("click", () => {
      boxes.forEach((box) => (box.checked = Boolean(button.dataset.all)));
      applySystems();
    });
  }
  document.addEventListener("click", (event) => {
    const details = byId("systems-filter");
    if (details.open && !details.contains(event.target)) details.open = false;
  });

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

  function bar(numbers) {
    const track = make("div", { class: "bar", "aria-hidden": "true" }, make("i"));
    for (const [name, place] of [["a", ACCURACY], ["l", LOW], ["h", HIGH]]) {
      track.style.setProperty(`--${name}`, numbers[place]);
    }
    return track;
  }

  function standing(numbers) {
    if (numbers[CLUSTER]) return "first cluster";
    if (numbers[P] === null) return "";
    return `worse than the best, p ${numbers[P] < 0.0001 ? "< 0.0001" : `= ${numbers[P].toPrecision(2)}`}`;
  }

  function describe(numbers) {
    const lines = [];
    const of = numbers[TOTAL] === null ? "" : `${count(numbers[CORRECT])} of ${count(numbers[TOTAL])} items`;
    const head = make("div", {}, make("b", {}, percent(numbers[ACCURACY])), " ");
    head.append(make("span", { class: "of" }, [of, standing(numbers)].filter(Boolean).join(" · ")));
    lines.push(head);
    if (numbers[LOW] !== null) {
      lines.push(bar(numbers));
      lines.push(make("div", {}, `95 % interval ${percent(numbers[LOW])} to ${percent(numbers[HIGH])}`));
    }
    if (numbers[LOWER] !== null) {
      const bounds = `${percent(numbers[LOWER])} to ${percent(numbers[UPPER])}`;
      lines.push(make("div", { class: "of" }, `bounds on all items found ${bounds}`));
    }
    return lines;
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
  addEventListener("scroll", hideTip, { passive: true });
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

  function itemsOf(row) {
    const { rows: all, items } = data();
    const { level, category } = all[row] ?? {};
    if (level === "phenomenon") return items.filter((item) => item.row === Number(row));
    if (level === "category") return items.filter((item) => all[item.row].category === category);
    return items;
  }

  function openCell(button, { follow = false } = {}) {
    hideTip();
    opened?.removeAttribute("aria-current");
    opened = button;
    opened.setAttribute("aria-current", "true");
    const row = button.closest("tr");
    const system = Number(button.parentElement.dataset.column);
    const kinds = new Set(row.dataset.verdict ? [row.dataset.verdict] : VERDICTS);
    fillPanel({ row: row.dataset.row, label: row.cells[0].textContent.trim(), system, kinds });
    panel.hidden = false;
    split.classList.add("beside");
    panel.scrollTop = 0;
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
  }

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const details = byId("systems-filter");
    if (details.open) {
      details.open = false;
      details.querySelector("summary").focus();
    } else if (event.target === filter && filter.value) {
      return;
    } else if (!panel.hidden) {
      closePanel();
    } else {
      hideTip();
    }
  });

  function fillPanel(view) {
    const all = itemsOf(view.row).map((item) => ({ item, text: item.texts[item.systems[view.system]] }));
    const list = make("div", { class: "items" });
    const draw = () => drawItems(list, all.filter(({ text }) => view.kinds.has(text[VERDICT])), view);
    panel.replaceChildren(...panelHead(view, all, draw), list);
    draw();
  }

  function panelHead(view, all, draw) {
    const { systems, rows: lines } = data();
    const row = lines[view.row];
    const where = row?.phenomenon ? `${row.category} › ${row.phenomenon}` : row?.category ?? view.label;
    const close = make("button", { type: "button", class: "close", "aria-label": "Close" }, "Close");
    close.addEventListener("click", closePanel);
    const head = make("div", { class: "panel-head" },
      make("p", { class: "where" }, where),
      make("h2", { id: "panel-title" }, make("span", { class: "unseen" }, `${where}: `), systems[view.system]),
      close);
    const result = make("div", { class: "result" }, ...(row ? describe(row.cells[view.system]) : []));
    const kinds = make("div", { class: "kinds", role: "group", "aria-label": "Verdicts to show" });
    for (const verdict of VERDICTS) {
      const number = all.filter(({ text }) => text[VERDICT] === verdict).length;
      const button = make("button", { type: "button", "aria-pressed": String(view.kinds.has(verdict)) },
        icon(verdict), `${verdict} ${count(number)}`);
      button.disabled = number === 0;
      button.addEventListener("click", () => {
        if (!view.kinds.delete(verdict)) view.kinds.add(verdict);
        button.setAttribute("aria-pressed", String(view.kinds.has(verdict)));
        draw();
      });
      kinds.append(button);
    }
    return [head, result, kinds];
  }

  function drawItems(list, chosen, view) {
    const ordered = VERDICTS.flatMap((verdict) => chosen.filter(({ text }) => text[VERDICT] === verdict));
    list.replaceChildren();
    if (!ordered.length) list.append(make("p", { class: "none" }, "No items to show."));
    let drawn = 0;
    let group = null;
    const button = make("button", { type: "button", class: "next" });
    const more = () => {
      for (const entry of ordered.slice(drawn, drawn + CHUNK)) {
        const verdict = entry.text[VERDICT];
        if (group?.dataset.verdict !== verdict) {
          const members = ordered.filter(({ text }) => text[VERDICT] === verdict);
          list.append(groupHead(verdict, members, view.system));
          group = make("ul", { class: "items", "data-verdict": verdict });
          list.append(group);
        }
        group.append(itemLine(entry, view));
      }
      drawn = Math.min(drawn + CHUNK, ordered.length);
      button.textContent = `Show ${Math.min(CHUNK, ordered.length - drawn)} more of ${count(ordered.length - drawn)}`;
      if (drawn < ordered.length) list.append(button);
      else button.remove();
    };
    button.addEventListener("click", () => {
      const last = group.lastElementChild;
      more();
      const next = last.nextElementSibling ?? group.firstElementChild;
      next.tabIndex = -1;
      next.focus({ preventScroll: true });
    });
    more();
  }

  function countsFor(item, system) {
    return Array.isArray(item.counts) ? item.counts[system] : item.counts;
  }

  function groupHead(verdict, members, system) {
    const counted = members.filter(({ item }) => countsFor(item, system)).length;
    const of = counted === members.length ? "" : counted ? `, ${count(counted)} of them count` : ", none counts";
    return make("h3", {}, icon(verdict), `${verdict} ${count(members.length)}${of}`);
  }

  function itemLine({ item, text }, view) {
    const { rows: lines, languages } = data();
    const level = lines[view.row]?.level;
    const place = lines[item.row];
    const facts = [make("span", {}, item.id)];
    if (level === "category") facts.unshift(make("span", {}, place.phenomenon));
    else if (level !== "phenomenon") facts.unshift(make("span", {}, `${place.category} › ${place.phenomenon}`));
    if (item.tests) facts.push(make("span", { dir: "auto" }, item.tests));
    const line = make("li", { class: "item" },
      make("p", { class: "why" }, ...facts),
      make("p", { class: "sentence source", dir: "auto", lang: languages[0] }, item.source),
      judged(item, text, countsFor(item, view.system) ? "" : "does not count"));
    const others = item.texts.length > 1 || item.rules.length > 0;
    if (others) line.append(moreOf(item, view.system));
    return line;
  }

  function judged(item, text, remark = "") {
    const [written, verdict, reason] = text;
    const why = [make("span", { class: `word ${verdict}` }, verdict)];
    if (reason) why.push(make("span", {}, REASONS[reason] ?? reason));
    for (const [rule] of text[EVIDENCE]) why.push(make("span", {}, ...ruleWords(item.rules[rule], verdict)));
    if (remark) why.push(make("span", {}, remark));
    const sentence = written
      ? make("p", { class: "sentence output", dir: "auto", lang: data().languages[1] ?? "" }, ...marked(item, text))
      : make("p", { class: "sentence absent" }, "(nothing)");
    return make("div", { class: "judged" }, icon(verdict),
      make("div", {}, sentence, make("p", { class: "why" }, ...why)));
  }

  function ruleWords([polarity, kind, flags, value], verdict = "") {
    const name = polarity === verdict ? "" : `${polarity} `;
    if (kind === "exact") return [`${name}${value || "exact rule"}`];
    const words = kind === "regex" ? "rule" : "rule: contains";
    return [`${name}${words} `, make("code", { dir: "ltr" }, value), flags ? ` (${flags})` : ""];
  }

  // Spans are code points; they may overlap where a pass and a fail rule matched.
  function marked(item, text) {
    const points = Array.from(text[TEXT]);
    const spans = text[EVIDENCE].filter(([rule, start, end]) => item.rules[rule][1] !== "exact" && end > start);
    const cuts = [...new Set([0, points.length, ...spans.flatMap(([, start, end]) => [start, end])])];
    cuts.sort((a, b) => a - b);
    return cuts.slice(0, -1).map((start, place) => {
      const part = points.slice(start, cuts[place + 1]).join("");
      const over = spans.filter(([, from, to]) => from <= start && start < to);
      if (!over.length) return part;
      return make("mark", { class: over.map(([rule]) => item.rules[rule][0]).join(" ") }, part);
    });
  }

  function moreOf(item, system) {
    const own = item.systems[system];
    const label = item.texts.length > 1
      ? `${item.texts.length} texts of ${item.systems.length} systems, rules`
      : "rules";
    const details = make("details", { class: "more" }, make("summary", {}, label));
    details.addEventListener("toggle", () => {
      if (details.open && details.children.length === 1) details.append(...moreLines(item, own));
    });
    return details;
  }

  function moreLines(item, own) {
    const names = data().systems;
    const order = item.texts.map((_, place) => place)
      .sort((a, b) => VERDICTS.indexOf(item.texts[b][VERDICT]) - VERDICTS.indexOf(item.texts[a][VERDICT]));
    const texts = make("ul", { class: "texts" });
    for (const place of order) {
      const who = names.filter((_, system) => item.systems[system] === place);
      const line = make("li", {}, judged(item, item.texts[place]));
      line.lastChild.lastChild.append(make("p", { class: "who" }, who.join(", ")));
      if (place === own) line.setAttribute("aria-current", "true");
      texts.append(line);
    }
    const rules = item.rules.filter(([, kind]) => kind !== "exact");
    const words = rules.map((rule) => make("li", {}, ...ruleWords(rule)));
    return words.length ? [texts, make("ul", { class: "texts rules" }, ...words)] : [texts];
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

  byId("copy").addEventListener("click", copySignature);

  // The first row and column are sticky: what is scrolled to must not lie under them.
  const corner = table.rows[0].cells[0];
  new ResizeObserver(() => {
    heat.style.scrollPadding = `${corner.offsetHeight}px 0 0 ${corner.offsetWidth}px`;
  }).observe(corner);

  for (const button of table.querySelectorAll(".cell > button")) button.tabIndex = -1;
  applySystems();
  applyFilter();
})();
