/// How the page looks: a black instrument in a dark room, and a quiet line of figures under it.
let pageStyle: StaticString = #"""
    * { box-sizing: border-box; }
    html, body { height: 100%; margin: 0; overflow: hidden; overscroll-behavior: none; }
    body {
      display: flex; flex-direction: column;
      background: radial-gradient(120% 90% at 50% 38%, #17171b 0%, #0b0b0d 55%, #050506 100%);
      color: #85858e; font: 12px/1.4 ui-sans-serif, system-ui, "DejaVu Sans", sans-serif;
      touch-action: none; user-select: none; -webkit-user-select: none; -webkit-touch-callout: none;
      -webkit-tap-highlight-color: transparent;
    }
    #stage {
      flex: 1; min-height: 0; display: flex; align-items: center; justify-content: center;
      padding: max(14px, env(safe-area-inset-top)) max(14px, env(safe-area-inset-right)) 6px
        max(14px, env(safe-area-inset-left));
      touch-action: none;
    }
    #bezel {
      padding: 10px; border-radius: 14px; background: #08080a; touch-action: none;
      box-shadow: 0 0 0 1px #1e1e23, 0 1px 0 1px #2b2b31 inset, 0 22px 60px #000c, 0 2px 10px #000a;
    }
    #panel { display: block; border-radius: 5px; cursor: pointer; touch-action: none; outline: none; }
    #panel:focus-visible { box-shadow: 0 0 0 2px #4ecdc466; }
    footer {
      flex: none; display: flex; align-items: center; justify-content: center; flex-wrap: wrap; column-gap: 18px;
      min-height: 30px; padding: 2px 14px max(6px, env(safe-area-inset-bottom));
      font-variant-numeric: tabular-nums; letter-spacing: 0.02em;
    }
    #state::before {
      content: ""; display: inline-block; width: 7px; height: 7px; margin-right: 7px; border-radius: 50%;
      background: #ff6b6b; vertical-align: 0.5px;
    }
    #state.connected::before { background: #44ff44; }
    #figures { white-space: pre; }
    #figures:empty { display: none; }
    button {
      appearance: none; border: 1px solid #2b2b31; border-radius: 999px; background: none; color: inherit;
      font: inherit; padding: 2px 11px; cursor: pointer;
    }
    button:hover, button:focus-visible { color: #d6d6dd; border-color: #55555e; outline: none; }
    button:disabled { border-color: transparent; color: inherit; cursor: default; }
    noscript { position: fixed; inset: 45% 0 auto; text-align: center; }

    """#
