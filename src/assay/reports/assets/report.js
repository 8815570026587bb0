/* The report's own: the items wait as JSON in the page, and systems can be hidden. */
"use strict";

(() => {
  const CHUNK = 40;
  const REASONS = {
    no_match: "no rule matched",
    contradiction: "pass and fail rules matched",
    missing: "output missing",
    timeout: "a rule ran out of time",
    no_link: "the word is linked to no word",
    function_word: "the word is linked to function words only",
    no_class: "the linked word is of no class",
  };
  const [TEXT, VERDICT, REASON, EVIDENCE] = [0, 1, 2, 3];
  const { byId, make, icon, count, describe, VERDICTS } = HeatMap;
  const panel = byId("panel");

  let parsed = null;
  const data = () => (parsed ??= JSON.parse(byId("data").textContent));

  function itemsOf(row) {
    const { rows: all, items } = data();
    const { level, category } = all[row] ?? {};
    if (level === "phenomenon") return items.filter((item) => item.row === Number(row));
    if (level === "category") return items.filter((item) => all[item.row].category === category);
    return items;
  }

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
    const words = { regex: "rule", class: "class" }[kind] ?? `rule: ${kind}`;
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

  const { table, makeReachable } = HeatMap.attach({ data, fill: fillPanel });

  // Systems to hide

  const boxes = [...document.querySelectorAll("#systems-filter input")];
  const details = byId("systems-filter");

  function applySystems() {
    const chosen = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    for (const cell of table.querySelectorAll("[data-column]")) cell.hidden = !chosen.has(cell.dataset.column);
    byId("systems-shown").textContent = `${chosen.size} of ${boxes.length}`;
    makeReachable();
  }

  boxes.forEach((box) => box.addEventListener("change", applySystems));
  for (const button of document.querySelectorAll("[data-all]")) {
    button.addEventListener("click", () => {
      boxes.forEach((box) => (box.checked = Boolean(button.dataset.all)));
      applySystems();
    });
  }
  document.addEventListener("click", (event) => {
    if (details.open && !details.contains(event.target)) details.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    details.open = false;
    details.querySelector("summary").focus();
    event.preventDefault();
  }, { capture: true });
  applySystems();
})();
