// The page's own files.
"use strict";

const shellFiles = ["/", "/panel.css", "/panel.js", "/keys.js", "/legend.js", "/audio.js", "/tune.js", "/box.js", "/shell.js",
  "/drop.js", "/worker.js", "/lights.js", "/sound.js", "/icon.svg", "/icon.png", "/manifest.webmanifest"];
