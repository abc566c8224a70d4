import Box

extension Main {
    static let setup = Command(
        "setup",
        usage: "--service SOCKET [--listen ADDRESS:PORT] [--trusted NETWORK] [--token-file FILE]",
        help: """
            Serves the setup page to web browsers: Wi-Fi, time zone and LEDs. The card's image runs it while its access point is
            open. It changes nothing itself: a service that runs as root does, and is asked at its UNIX socket.

                --service SOCKET        the socket of that service
                --listen ADDRESS:PORT   serve the page here (default 0.0.0.0:80); port 0 takes a free one
                --trusted NETWORK       visitors of this network, such as 10.42.0.0/24, need no token
                --token-file FILE       file of the page's secret token (default: page-token in the library's folder, created if
                                        missing)
            """,
        options: ["--service", "--listen", "--trusted", "--token-file"]
    ) { arguments in
        guard let service = arguments["--service"] else {
            throw CommandError(.usage, "setup needs --service SOCKET; the card's image runs it so")
        }
        StopSignals.hold()
        let page = try SetupPage(
            listen: arguments["--listen"] ?? "0.0.0.0:80", trusted: arguments["--trusted"], service: service,
            tokenFile: arguments["--token-file"], version: versionNumber)
        page.run()
    }
}
