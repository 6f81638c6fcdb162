// The script of the console. Pages work without it; with it they are live:
// an event names a place, the list of that place is fetched again as the server
// renders it, and merged into the page by key and version.
"use strict";

const $ = (sel, from = document) => from.querySelector(sel);
const $$ = (sel, from = document) => [...from.querySelectorAll(sel)];
const csrf = $("meta[name=csrf]").content;
const body = document.body;

// A nonce names one sending: sent again it is the same message.
function nonce() {
  const b = crypto.getRandomValues(new Uint8Array(12));
  return Date.now().toString(36).padStart(8, "0") + "-" + [...b].map((x) => x.toString(16).padStart(2, "0")).join("");
}

// The server writes times in the zone of the browser.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
const zoneCookie = "zone=" + encodeURIComponent(zone);
let zoned = false; // the server did not know it when it wrote this page
if (zone && !document.cookie.split("; ").includes(zoneCookie)) {
  zoned = !document.cookie.includes("zone=");
  document.cookie = zoneCookie + "; path=/; max-age=31536000; samesite=strict";
  zoned &&= document.cookie.includes(zoneCookie);
}

// Lists.

const working = new WeakMap();

// refresh reads a list again. While it does, a further wish for it waits its turn.
async function refresh(list) {
  const w = working.get(list);
  if (w) { w.again = true; return w.done; }
  const job = { again: false };
  job.done = (async () => {
    do {
      job.again = false;
      try {
        const res = await fetch(list.dataset.src, { headers: { "X-Part": "list" } });
        if (res.status === 401) { location.reload(); return; }
        if (res.ok) merge(list, await res.text());
      } catch { /* the stream says when the server is back */ }
    } while (job.again);
    working.delete(list);
  })();
  working.set(list, job);
  return job.done;
}

function merge(list, html) {
  const fresh = new DOMParser().parseFromString(html, "text/html").body;
  const scroller = list.closest(".scroller");
  const low = atEnd(scroller);
  const old = new Map($$(":scope > [data-key]", list).map((e) => [e.dataset.key, e]));
  let grown = false;
  let at = list.firstElementChild;
  for (const next of [...fresh.children]) {
    const have = old.get(next.dataset.key);
    old.delete(next.dataset.key);
    if (have && have.dataset.v === next.dataset.v) {
      if (have === at) at = at.nextElementSibling;
      else list.insertBefore(have, at);
      continue;
    }
    if (have) {
      if (have === at) at = at.nextElementSibling;
      replace(have, next);
    } else {
      next.classList.add("fresh");
      list.insertBefore(next, at);
      grown = true;
    }
  }
  old.forEach((e) => e.remove());
  if (low) toEnd(scroller);
  else if (grown && list.dataset.room) showNews(list, true);
}

// replace keeps what a person has open or is at.
function replace(have, next) {
  const focused = have.contains(document.activeElement);
  const open = $$("details", have).map((d) => d.open);
  $$("details", next).forEach((d, i) => { if (i in open && !d.classList.contains("progress")) d.open = open[i]; });
  if (have.classList.contains("target")) next.classList.add("target");
  have.replaceWith(next);
  if (focused) ($("button, a, summary", next) || next).focus({ preventScroll: true });
}

const atEnd = (s) => !s || s.scrollHeight - s.scrollTop - s.clientHeight < 80;
function toEnd(s) { if (s) s.scrollTop = s.scrollHeight; }

function showNews(list, on) {
  const b = list.closest("main, aside").querySelector(".news");
  if (b) b.hidden = !on;
}

if (zoned) $$(".list[data-src]").forEach(refresh);

// The stream.

let stream = null;
let last = body.dataset.mark;
let wait = 1000;
let timer = 0;
const live = $("#live");

function say(on) {
  if (!live) return;
  live.className = on ? "on" : "off";
  const text = on ? live.dataset.up : live.dataset.down;
  if (live.textContent !== text) live.textContent = text;
}

// A hidden tab listens to nothing, so that many tabs do not use up the browser's
// connections; once it is seen it catches up from the last event that it has.
function listen() {
  clearTimeout(timer);
  if (stream || document.hidden) return;
  stream = new EventSource("/events?since=" + encodeURIComponent(last));
  stream.onopen = () => { wait = 1000; say(true); };
  stream.addEventListener("line", (e) => { last = e.lastEventId; changed(JSON.parse(e.data)); });
  stream.addEventListener("reset", (e) => { last = e.lastEventId; $$(".list[data-src]").forEach(refresh); pulse(); });
  stream.onerror = () => {
    say(false);
    const gone = stream.readyState === EventSource.CLOSED;
    if (!gone) return;
    stream = null;
    timer = setTimeout(async () => { await pulse(); listen(); }, wait);
    wait = Math.min(wait * 2, 10000);
  };
}

function hush() {
  clearTimeout(timer);
  if (stream) stream.close();
  stream = null;
}

document.addEventListener("visibilitychange", () => (document.hidden ? hush() : listen()));
addEventListener("pagehide", hush);
addEventListener("pageshow", listen);

let soon = 0;
function changed(e) {
  let here = false;
  for (const list of $$(".list[data-room]")) {
    // A reply changes its thread, and the count in the channel.
    if (list.dataset.room !== e.c) continue;
    if (!list.dataset.thread || list.dataset.thread === e.t) refresh(list);
    here = true;
  }
  if (!here) unread(e.c, true);
  clearTimeout(soon);
  soon = setTimeout(() => { pulse(); $$(".list[data-desk]").forEach(refresh); }, 300);
}

async function pulse() {
  try {
    const res = await fetch("/pulse", { headers: { Accept: "application/json" } });
    if (res.status === 401) { location.reload(); return; }
    const { mine } = await res.json();
    const b = $("#mine");
    b.textContent = mine;
    b.hidden = !mine;
  } catch { /* the stream says when the server is back */ }
}

// Unread marks.

const unreadKey = "unread-" + body.dataset.me;
function unreads() { try { return JSON.parse(localStorage.getItem(unreadKey)) || {}; } catch { return {}; } }
function unread(room, on) {
  const u = unreads();
  if (on) u[room] = 1; else delete u[room];
  try { localStorage.setItem(unreadKey, JSON.stringify(u)); } catch { /* private window */ }
  showUnread();
}
function showUnread() {
  const u = unreads();
  for (const a of $$("nav [data-room]")) {
    const on = Boolean(u[a.dataset.room]);
    $(".dot", a).hidden = !on;
    a.classList.toggle("unread", on);
  }
}
for (const list of $$(".list[data-room]")) unread(list.dataset.room, false);
showUnread();
addEventListener("storage", showUnread);

// Pressing.

document.addEventListener("submit", async (e) => {
  const form = e.target.closest("form.choices");
  if (!form || !e.submitter) return;
  e.preventDefault();
  if (form.dataset.busy) return;
  form.dataset.busy = "1";
  const data = new URLSearchParams(new FormData(form, e.submitter));
  data.set("nonce", nonce());
  const said = $(".said", form);
  const buttons = $$("button", form);
  buttons.forEach((b) => b.setAttribute("aria-disabled", "true"));
  e.submitter.classList.add("pressed");
  let taken = false;
  try {
    const res = await send("/press", data);
    if (res.status === 401) { location.reload(); return; }
    const got = await res.json();
    taken = res.ok;
    said.textContent = taken ? got.said : got.error;
  } catch {
    said.textContent = live ? live.dataset.down : "";
  }
  // The card changes when the answer counts; if it does not, it may be pressed again.
  setTimeout(() => {
    delete form.dataset.busy;
    if (taken) said.textContent = "";
    buttons.forEach((b) => b.removeAttribute("aria-disabled"));
    e.submitter.classList.remove("pressed");
  }, 1500);
});

// send tries once more if the connection broke: a nonce makes that harmless.
async function send(url, data) {
  const req = { method: "POST", body: data, headers: { Accept: "application/json", "X-CSRF": csrf } };
  try {
    return await fetch(url, req);
  } catch {
    await new Promise((ok) => setTimeout(ok, 1200));
    return fetch(url, req);
  }
}

// Writing.

for (const form of $$("form.composer")) compose(form);

function compose(form) {
  const text = $("textarea", form);
  const problem = $(".problem", form);
  const max = Number(text.dataset.max);
  const key = "draft-" + [body.dataset.me, form.dataset.room, form.dataset.thread].join("/");
  const files = $("input[type=file]", form);
  const attached = $(".attached", form);
  let current = null; // the nonce of what is being sent, kept until it is

  const grow = () => {
    text.style.height = "auto";
    text.style.height = Math.min(text.scrollHeight + 2, innerHeight * 0.4) + "px";
    form.classList.toggle("filled", text.value.trim() !== "");
  };
  const complain = (s) => { problem.textContent = s; problem.hidden = !s; };
  const keep = () => { try { text.value ? sessionStorage.setItem(key, text.value) : sessionStorage.removeItem(key); } catch { /* private window */ } };

  try { if (!text.value) text.value = sessionStorage.getItem(key) || ""; } catch { /* private window */ }
  grow();

  text.addEventListener("input", () => {
    current = null;
    grow(); keep();
    const over = [...text.value].length - max;
    complain(text.value.length > max && over > 0 ? body.dataset.long.replace("%d", over.toLocaleString()) : "");
    suggest();
  });

  files?.addEventListener("change", () => {
    current = null;
    attached.textContent = [...files.files].map((f) => f.name).join(", ");
    attached.hidden = !files.files.length;
    text.required = !files.files.length;
    text.focus();
  });

  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    if (form.dataset.busy || !text.value.trim() && !files?.files.length) return;
    form.dataset.busy = "1";
    current = current || nonce();
    const fields = new FormData(form);
    const data = files?.files.length ? fields : new URLSearchParams([...fields].filter(([name]) => name !== "files"));
    data.set("nonce", current);
    try {
      const res = await send("/say", data);
      if (res.status === 401) { location.reload(); return; }
      const got = await res.json();
      if (!res.ok) { complain(got.error); return; }
      current = null;
      text.value = "";
      if (files?.files.length) {
        files.value = "";
        files.dispatchEvent(new Event("change"));
      }
      complain("");
      grow(); keep();
      const list = $(".list", form.parentElement);
      if (got.page !== location.pathname && form.dataset.thread === "" && got.page.split("/").length > 3) {
        location.assign(got.page); // it began a thread
        return;
      }
      await refresh(list);
      toEnd(list.closest(".scroller"));
    } catch {
      complain(body.dataset.lost);
    } finally {
      delete form.dataset.busy;
      text.focus();
    }
  });

  text.addEventListener("keydown", (e) => {
    if (choose(e)) return;
    // While an input method composes, Enter chooses a word.
    if (e.key === "Enter" && !e.shiftKey && !e.isComposing && e.keyCode !== 229) {
      e.preventDefault();
      form.requestSubmit();
    }
  });

  // Names: a short list under the caret's word, if that begins with @ or #.
  const names = ["@hermes", ...$$("nav [data-room] .sign + span").map((s) => s.closest("a").dataset.room).filter((r) => !r.startsWith("dm-")).map((r) => "#" + r)];
  const menu = document.createElement("ul");
  menu.className = "names";
  menu.hidden = true;
  menu.id = "names-" + (form.dataset.thread ? "t" : "c");
  menu.setAttribute("role", "listbox");
  $(".box", form).append(menu);
  text.setAttribute("aria-controls", menu.id);
  text.setAttribute("aria-autocomplete", "list");

  const word = () => /(?:^|[^\w@#])([@#][\w-]*)$/.exec(text.value.slice(0, text.selectionStart));
  function suggest() {
    const w = word();
    const fit = w ? names.filter((n) => n.startsWith(w[1].toLowerCase()) && n !== w[1]) : [];
    menu.replaceChildren(...fit.map((n, i) => {
      const li = document.createElement("li");
      li.id = menu.id + "-" + i;
      li.textContent = n;
      li.setAttribute("role", "option");
      li.setAttribute("aria-selected", i === 0);
      li.addEventListener("mousedown", (e) => { e.preventDefault(); take(n); });
      return li;
    }));
    menu.hidden = !fit.length;
    mark();
  }
  function mark() {
    const on = $("[aria-selected=true]", menu);
    if (on && !menu.hidden) text.setAttribute("aria-activedescendant", on.id);
    else text.removeAttribute("aria-activedescendant");
  }
  function take(name) {
    const w = word();
    if (!w) return;
    text.setRangeText(name + " ", text.selectionStart - w[1].length, text.selectionStart, "end");
    menu.hidden = true;
    mark(); grow(); keep();
  }
  function choose(e) {
    if (menu.hidden || e.isComposing) return false;
    const all = [...menu.children];
    const i = all.findIndex((li) => li.getAttribute("aria-selected") === "true");
    const move = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (move) {
      all[i].setAttribute("aria-selected", false);
      all[(i + move + all.length) % all.length].setAttribute("aria-selected", true);
      mark();
    } else if (e.key === "Enter" || e.key === "Tab") {
      take(all[i].textContent);
    } else if (e.key === "Escape") {
      menu.hidden = true;
      mark();
    } else {
      return false;
    }
    e.preventDefault();
    e.stopPropagation();
    return true;
  }
  text.addEventListener("blur", () => { menu.hidden = true; mark(); });

  form.addEventListener("click", (e) => {
    const b = e.target.closest("[data-insert]");
    if (!b) return;
    text.focus();
    if (!text.value.toLowerCase().includes(b.dataset.insert.trim())) {
      text.setRangeText(b.dataset.insert, 0, 0, "end");
      text.selectionStart = text.selectionEnd = text.value.length;
    }
    text.dispatchEvent(new Event("input"));
  });
  form.fill = (s) => {
    text.value = s;
    text.dispatchEvent(new Event("input"));
    text.focus();
    menu.hidden = true;
  };
  addEventListener("resize", grow);
}

// The rest of the page.

document.addEventListener("click", (e) => {
  const hint = e.target.closest("[data-fill]");
  if (hint) $("main form.composer").fill(hint.dataset.fill);
  const news = e.target.closest(".news");
  if (news) {
    toEnd($(".scroller", news.parentElement));
    news.hidden = true;
  }
  for (const m of $$("details.menu[open]")) if (!m.contains(e.target)) m.open = false;
});

document.addEventListener("keydown", (e) => {
  if (e.key !== "Escape") return;
  const menu = $("details.menu[open]");
  if (menu) {
    menu.open = false;
    $("summary", menu).focus();
    return;
  }
  const close = $(".pane .close");
  if (close && !e.isComposing) close.click();
});

for (const s of $$(".scroller")) {
  s.addEventListener("scroll", () => {
    if (atEnd(s)) s.parentElement.querySelector(".news")?.setAttribute("hidden", "");
  }, { passive: true });
}

// A conversation opens at its end, or at the line that the address names.
function settle() {
  for (const list of $$(".list[data-room]")) {
    const scroller = list.closest(".scroller");
    const target = $(".target", list) || (location.hash && $(CSS.escape(location.hash.slice(1)).replace(/^/, "#"), list));
    if (target) {
      target.classList.add("target");
      scroller.scrollTop = target.offsetTop - scroller.clientHeight / 3;
    } else {
      toEnd(scroller);
    }
  }
}
settle();
addEventListener("hashchange", settle);
// Pictures that arrive make a list longer.
addEventListener("load", settle);

const first = $(".pane form.composer textarea") || $("main form.composer textarea");
if (first && matchMedia("(min-width: 900px)").matches) {
  first.focus({ preventScroll: true });
  first.selectionStart = first.selectionEnd = first.value.length;
}

listen();
