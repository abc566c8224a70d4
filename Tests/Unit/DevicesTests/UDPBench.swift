import Glibc
import InputEvents
import Synchronization

@testable import Devices

/// A network whose packets the test brings and takes. Ports have the descriptors 1, 2, … in the order in which they are
/// opened.
final class FakeUDP: Sendable {
    struct State {
        /// Packets that were not received yet, by descriptor.
        var arriving: [Int32: [(bytes: [UInt8], sender: UInt32)]] = [:]
        var sent: [(descriptor: Int32, address: UInt32, port: UInt16, bytes: [UInt8])] = []
        var opened: [(interface: String, port: UInt16, groups: [UInt32])] = []
        var closed = 0
        /// Index of every interface; 0 for none.
        var index: UInt32 = 1
        /// The networks of every interface: one that reaches all addresses.
        var networks = [InterfaceNetwork(address: 0xffff_ffff, mask: 0)]
        /// What opening and receiving fails by.
        var failure: Int32?
    }

    let state = Mutex(State())

    /// Packets that arrive at a port.
    func bring(_ packets: [[UInt8]], _ descriptor: Int32 = 1, from sender: UInt32 = 1) {
        state.withLock { state in
            for packet in packets { state.arriving[descriptor, default: []].append((packet, sender)) }
        }
    }

    /// Number of packets that were not received yet.
    var waiting: Int { state.withLock { $0.arriving.values.reduce(0) { $0 + $1.count } } }

    /// What was sent since the last call: the messages of OSC, with the descriptor, the address and the port.
    func messages() -> [(descriptor: Int32, address: UInt32, port: UInt16, message: OSCMessage)] {
        let sent = state.withLock { state in
            let sent = state.sent
            state.sent = []
            return sent
        }
        return sent.flatMap { packet in
            packet.bytes.withUnsafeBytes { OSCMessage.messages(in: $0) }.map {
                (packet.descriptor, packet.address, packet.port, $0)
            }
        }
    }

    var calls: UDPCalls {
        var calls = UDPCalls.linux
        calls.index = { [self] _ in state.withLock { $0.index } }
        calls.networks = { [self] _ in state.withLock { $0.networks } }
        calls.listen = { [self] interface, port, groups in
            state.withLock { state in
                if let failure = state.failure { return .failure(SystemError(errno: failure)) }
                state.opened.append((interface, port, groups))
                return .success(Int32(state.opened.count))
            }
        }
        calls.receive = { [self] descriptor, buffer in
            state.withLock { state in
                if let failure = state.failure { return .failure(SystemError(errno: failure)) }
                guard let packet = state.arriving[descriptor]?.first else {
                    return .failure(SystemError(errno: EAGAIN))
                }
                state.arriving[descriptor]?.removeFirst()
                buffer.copyBytes(from: packet.bytes)
                return .success((packet.bytes.count, packet.sender))
            }
        }
        calls.send = { [self] descriptor, bytes, address, port in
            state.withLock { $0.sent.append((descriptor, address, port, Array(bytes))) }
            return .success(bytes.count)
        }
        calls.open = { _ in .success(100) }
        calls.aim = { descriptor, _, _ in .success(descriptor) }
        calls.close = { [self] _ in state.withLock { $0.closed += 1 } }
        return calls
    }
}
