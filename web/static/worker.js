"use strict";
// Keeps the page and its files, so that without contact the last board is shown instead of the browser's error. Browsers
// run it on https and on the box itself alone. Of the director's desk nothing is kept.
const KEPT = "shinpan-page";
const PATIENCE = 5000; // milliseconds

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

const late = () => new Promise((_, failed) => setTimeout(() => failed(new Error("late")), PATIENCE));

async function keptPage(kept) {
  const heard = Date.parse(kept.headers.get("Date"));
  const text = (await kept.text()).replace("<body", `<body data-heard="${heard}"`);
  const careful = "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";
  return new Response(text, { headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": careful } });
}

async function answer(request, key, isPage) {
  const cache = await caches.open(KEPT);
  try {
    const fresh = await Promise.race([fetch(request), late()]);
    if (fresh.ok && !fresh.redirected) await cache.put(key, fresh.clone());
    return fresh;
  } catch (error) {
    const kept = await cache.match(key);
    if (!kept) throw error;
    return isPage ? keptPage(kept) : kept;
  }
}

self.addEventListener("fetch", (event) => {
  const [url, scope] = [new URL(event.request.url), new URL(self.registration.scope)];
  const isPage = event.request.mode === "navigate" && url.pathname === scope.pathname && !url.search;
  const isFile = url.pathname.startsWith(`${scope.pathname}static/`);
  if (event.request.method !== "GET" || url.origin !== scope.origin || !(isPage || isFile)) return;
  event.respondWith(answer(event.request, url.href, isPage));
});
