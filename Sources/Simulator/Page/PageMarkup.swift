/// The page itself: a canvas that fills the window, and a status line below it.
let pageMarkup: StaticString = #"""
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <title>PixelBoop</title>
    <meta name="viewport"
      content="width=device-width, initial-scale=1, maximum-scale=1, user-scalable=no, viewport-fit=cover">
    <meta name="color-scheme" content="dark">
    <meta name="theme-color" content="#050506">
    <link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Crect
      width='8' height='8' rx='1.5' fill='%23101012'/%3E%3Ccircle cx='2.4' cy='2.4' r='1.2' fill='%23f7dc6f'/%3E%3Ccircle
      cx='5.6' cy='2.4' r='1.2' fill='%234ecdc4'/%3E%3Ccircle cx='2.4' cy='5.6' r='1.2' fill='%2345b7d1'/%3E%3Ccircle
      cx='5.6' cy='5.6' r='1.2' fill='%23ff6b6b'/%3E%3C/svg%3E">
    <link rel="stylesheet" href="panel.css">
    <script src="panel.js" defer></script>
    </head>
    <body>
    <main id="stage">
      <div id="bezel">
        <canvas id="panel" role="application" tabindex="0" aria-label="The panel of PixelBoop: a grid of lights to touch.
          Space plays and stops, Control Z undoes, Control Shift Z redoes, Delete clears, Up and Down change the tempo."
        ></canvas>
      </div>
    </main>
    <footer>
      <span id="state" role="status">connecting…</span>
      <span id="figures"></span>
      <button id="sound" type="button" hidden></button>
    </footer>
    <noscript>The panel needs JavaScript.</noscript>
    </body>
    </html>

    """#
