import Box
import Display
import Documents
import Formats
import Instrument

extension Main {
    static let guide = Command(
        "guide", usage: "FILE.xml [--list | --picture F.png [--today YYYY-MM-DD] [--turned] | OPTIONS OF run]",
        help: """
            Runs the box as pixelboop run does, with television listings (XMLTV) in its guide; programmes marked as watched are
            kept in the library. Or prints the listings, or draws them. Days are in this machine's time zone (TZ); a title in
            several languages is shown in that of LANG.

                --list               print the programmes, a JSON object a line: channel, day, start, stop, title, badge,
                                     minutes
                --picture F.png      draw the panel with the guide, one pixel per LED
                --today YYYY-MM-DD   today's date in the picture (default: the clock's)
                --turned             days across and channels down
                --config FILE, --panel, --audio, --library, --listen, --token-file   as for run
            """,
        options: ["--picture", "--today"] + runOptions, flags: ["--list", "--turned"], operands: 1...1
    ) { arguments in
        let path = arguments.operands[0]
        let picture = arguments["--picture"]
        let isShown = !arguments.has("--list") && picture == nil
        if arguments.has("--list"), picture != nil {
            throw CommandError(.usage, "use --list or --picture F.png, not both; see pixelboop guide --help")
        }
        if picture == nil, arguments["--today"] != nil || arguments.has("--turned") {
            throw CommandError(.usage, "--today and --turned are for a picture; name it with --picture F.png")
        }
        if !isShown, let option = runOptions.first(where: { arguments[$0] != nil }) {
            throw CommandError(.usage, "\(option) is for the box; --list and --picture do not run it")
        }
        let today = try arguments.day("--today")
        let listings = try ListingsFile.read(path)
        if isShown { return try play(arguments) { watched in ListingsFile.guide(listings, watched: watched) } }
        if let picture {
            let guide = Guide(ListingsFile.guide(listings, today: today), isTurned: arguments.has("--turned"))
            var frame = Frame(columns: 44, rows: Instrument.rows)
            guide.draw(into: &frame, at: .zero, isPlaying: false)
            return try Files.write(Picture.png(frame), to: picture)
        }
        let output = try OutputFile("-")
        for programme in listings.programmes { output.append((line(programme, listings) + "\n").utf8) }
        try output.finish()
    }

    private static func line(_ programme: TVListings.Programme, _ listings: TVListings) -> String {
        let zone = LocalTime.system
        let channel = listings.channels[programme.channel]
        let minutes = programme.stop.map { Int(($0 - programme.start) / 60) }
        return JSON.object([
            "channel": .string(channel.name.isEmpty ? channel.id : channel.name),
            "day": .string(LocalTime.date(ofDay: zone.day(of: programme.start))),
            "start": .string(zone.text(of: programme.start)),
            "stop": .orNull(programme.stop.map(zone.text)),
            "title": .string(programme.title), "badge": .string(programme.badge),
            "minutes": .orNull(minutes),
        ]).text(pretty: false)
    }
}
