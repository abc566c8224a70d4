import Documents
import Input
import Panel

/// Writes a configuration as a document that reads back as the same configuration.
extension Configuration {
    /// All settings, including the defaults.
    public var json: JSON {
        .object([
            "panel": panel.json,
            "walls": .array(walls.map(\.json)), "lightIn": .array(lightIn.map(\.json)),
            "grid": grid.map(\.json) ?? .null, "osc": osc.map(\.json) ?? .null,
            "touch": touch.json,
            "keyboard": keyboard.json,
            "audio": .object([
                "device": .string(audio.device), "rate": .integer(audio.rate), "period": .integer(audio.period),
                "periods": .integer(audio.periods), "priority": .integer(audio.priority),
                "core": .orNull(audio.core), "volume": .double(audio.volume),
            ]),
            "gpio": gpio.json,
            "sync": syncJSON,
            "midi": midi.json,
            "rules": .string(rules.rawValue), "lock": stops.json,
            "library": .orNull(library),
            "listen": .string(listen), "pageAddress": .orNull(pageAddress?.text),
            "siteAddress": .orNull(siteAddress?.text),
        ])
    }
}

extension Configuration.TouchSettings {
    fileprivate var json: JSON {
        overlays.count == 1 ? overlays[0].json : .object(["overlays": .array(overlays.map(\.json))])
    }
}

extension Configuration.TouchSettings.Overlay {
    fileprivate var json: JSON {
        .object([
            "device": device.json, "matrix": .numbers(settings.matrix), "hysteresis": .double(settings.hysteresis),
            "debounce": .integer(Int(settings.debounce.microseconds / 1000)),
            "delay": .integer(Int(settings.delay.microseconds / 1000)), "median": .bool(settings.hasMedian),
            "jitter": .double(settings.jitter),
        ])
    }
}

extension Configuration.InputDevice {
    var json: JSON {
        switch self {
        case .any: .null
        case .none: .string("none")
        case .named(let name): .string(name)
        }
    }
}

extension PanelConfiguration {
    fileprivate var json: JSON {
        .object([
            "columns": .integer(columns), "chip": .string(chip.rawValue), "order": .orNull(order?.rawValue),
            "brightness": .double(brightness), "gamma": .double(gamma),
            "whiteBalance": .numbers([whiteBalance.red, whiteBalance.green, whiteBalance.blue]),
            "origin": .string(origin.rawValue), "dither": .bool(dither), "flashGuard": .bool(flashGuard),
            "heat": .object([
                "sensor": .orNull(heat.sensor), "dimFrom": .integer(heat.dimFrom), "dimTo": .integer(heat.dimTo),
            ]),
            "screen": .object([
                "automatic": .bool(screen.isAutomatic), "connector": .orNull(screen.connector),
                "rotation": .integer(screen.rotation.rawValue), "blankMinutes": .integer(screen.blankMinutes),
            ]),
            "milliamps": .object([
                "red": .double(milliamps.red), "green": .double(milliamps.green),
                "blue": .double(milliamps.blue), "white": .double(whiteMilliamps),
                "standby": .double(standbyMilliamps),
            ]),
            "zones": .array(
                zones.map {
                    .object(["amps": .double($0.amps), "from": .integer($0.from), "count": .integer($0.count)])
                }),
            "chains": .array(
                chains.map { chain in
                    .object([
                        "device": .string(chain.device), "hertz": .integer(chain.hertz),
                        "tiles": .array(chain.tiles.map(\.json)),
                    ])
                }),
        ])
    }
}

extension PanelConfiguration.Tile {
    var json: JSON {
        let places = missing.sorted { ($0.row, $0.column) < ($1.row, $1.column) }
        return .object([
            "x": .integer(x), "y": .integer(y), "columns": .integer(columns), "rows": .integer(rows),
            "rotation": .integer(rotation.rawValue), "first": .string(first.rawValue), "along": .string(along.rawValue),
            "serpentine": .bool(serpentine),
            "missing": .array(places.map { .array([.integer($0.column), .integer($0.row)]) }),
        ])
    }
}
