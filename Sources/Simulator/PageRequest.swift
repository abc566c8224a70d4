import CWebSockets

/// What a browser's request says, plain or to open a WebSocket, as libwebsockets has it while it is answered.
struct PageRequest {
    let connection: OpaquePointer?

    /// Longest header or URL argument that is looked at, in bytes.
    private static let lengthMax = 300
    /// URL arguments that are looked at.
    private static let argumentsMax: Int32 = 16

    /// The address that the browser calls this machine by.
    var host: String? { header(WSI_TOKEN_HOST) }

    /// The site whose page asks.
    var origin: String? { header(WSI_TOKEN_ORIGIN) }

    /// The address that it came in at.
    var localAddress: String { PageAddress.local(of: lws_get_socket_fd(connection)) }

    /// The address of the machine that asks.
    var remoteAddress: UInt32 { PageAddress.remote(of: lws_get_socket_fd(connection)) }

    /// Whether it wants no more than to read.
    var isGet: Bool { lws_hdr_total_length(connection, WSI_TOKEN_GET_URI) > 0 }

    /// What follows `token=` in its URL.
    var token: [UInt8]? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Self.lengthMax) { buffer in
            for index in 0..<Self.argumentsMax {
                let length = lws_hdr_copy_fragment(
                    connection, buffer.baseAddress, Int32(buffer.count), WSI_TOKEN_HTTP_URI_ARGS, index)
                guard length >= 0 else { return nil }
                let argument = UnsafeRawBufferPointer(buffer).prefix(Int(length))
                if argument.starts(with: "token=".utf8) { return Array(argument.dropFirst(6)) }
            }
            return nil
        }
    }

    private func header(_ name: lws_token_indexes) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Self.lengthMax) { buffer in
            let length = lws_hdr_copy(connection, buffer.baseAddress, Int32(buffer.count), name)
            guard length > 0 else { return nil }
            return String(decoding: UnsafeRawBufferPointer(buffer).prefix(Int(length)), as: UTF8.self)
        }
    }
}
