// The installed page: keeps a copy of its own files, so that it opens while the box is off. Nothing else is kept, and while the
// box answers, the box's files are used.
"use strict";

const shell = "pixelboop-shell";
// Below the folder of this script: a proxy may serve it under a path.
const root = location.pathname.replace(/\/[^/]*$/, "");
importScripts("files.js");
const files = shellFiles.map((path) => root + path);

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(shell).then((cache) => cache.addAll(files)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== location.origin || !files.includes(pathname)) return;
  event.respondWith(
    fetch(event.request)
      .then(async (answer) => {
        if (answer.ok) await (await caches.open(shell)).put(pathname, answer.clone());
        return answer;
      })
      .catch(async (error) => {
        const kept = await caches.match(pathname);
        if (kept) return kept;
        throw error;
      }));
});
