import Devices
import Dispatch
import FoundationEssentials
import Library
import Pages

/// The server of the setup page, and what it answers with.
package final class SetupPage {
    private let server: SetupServer
    private let end = DispatchSemaphore(value: 0)
    private let signals: StopSignals.Watch

    /// Serves the page at `listen`, such as 0.0.0.0:80, by the setup service at the socket `service`. Visitors need the
    /// token of `tokenFile`, or of the state folder's; visitors of the network `trusted`, such as 10.42.0.0/24, do not.
    /// `version` is this program's version.
    package init(listen: String, trusted: String?, service: String, tokenFile: String?, version: String) throws {
        let (address, port) = try PanelView.address(listen, from: "--listen", .usage)
        let network = try trusted.map { text throws in
            guard let network = PageNetwork(text) else {
                throw CommandError(.usage, "--trusted is \(text), should be a network such as 10.42.0.0/24")
            }
            return network
        }
        let token = try TokenFile(tokenFile).token()
        let end = end
        signals = try StopSignals.Watch { end.signal() }
        let uploads = UploadFolder(inStateFolder: Library.stateFolder(environment: ProcessInfo.processInfo.environment))
        // From before a power cut or a stop.
        uploads.clear()
        let requests = SetupRequests(LocalSocket(service), uploads: uploads, version: version)
        let clock = try SystemClock()
        do throws(PageServerError) {
            server = try SetupServer(
                SetupServer.Configuration(address: address, port: port, token: token, trusted: network),
                answers: requests, uploads: uploads, now: { clock.now })
        } catch {
            throw CommandError(error.status, "\(error)")
        }
        requests.setURL(server.url(host: NetworkAddress.hostName() + ".local", token: token))
        Log.post("the setup page is at \(server.url)")
    }

    /// Serves until a signal ends it.
    package func run() {
        ServiceManager().isReady()
        end.wait()
        server.stop()
    }
}
