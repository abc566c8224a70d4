import CWebSockets

/// A browser's HTTP request, plain or an upgrade; valid while libwebsockets handles it.
struct PageRequest {
    let connection: OpaquePointer?

    /// Maximum bytes read of a header or URL argument: names of files have up to 255 characters, of three bytes most.
    private static let lengthMax = 1024
    /// Maximum URL arguments read.
    private static let argumentsMax: Int32 = 16

    /// The Host header.
    var host: String? { header(WSI_TOKEN_HOST) }

    /// The Origin header.
    var origin: String? { header(WSI_TOKEN_ORIGIN) }

    /// The local address of the connection.
    var localAddress: String { PageAddress.local(of: lws_get_socket_fd(connection)) }

    /// The same in network order.
    var localNumber: UInt32 { PageAddress.localNumber(of: lws_get_socket_fd(connection)) }

    /// The remote address of the connection.
    var remoteAddress: UInt32 { PageAddress.remote(of: lws_get_socket_fd(connection)) }

    /// Whether the method is GET.
    var isGet: Bool { lws_hdr_total_length(connection, WSI_TOKEN_GET_URI) > 0 }

    /// Whether the method is POST.
    var isPost: Bool { lws_hdr_total_length(connection, WSI_TOKEN_POST_URI) > 0 }

    /// The Content-Length header; nil without one.
    var contentLength: Int? { header(WSI_TOKEN_HTTP_CONTENT_LENGTH).flatMap { Int($0) } }

    /// The URL argument `token`.
    var token: [UInt8]? { argument("token") }

    /// The URL argument `name`, of at most `lengthMax` bytes.
    func argument(_ name: String) -> [UInt8]? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Self.lengthMax) { buffer in
            for index in 0..<Self.argumentsMax {
                let length = lws_hdr_copy_fragment(
                    connection, buffer.baseAddress, Int32(buffer.count), WSI_TOKEN_HTTP_URI_ARGS, index)
                guard length >= 0 else { return nil }
                let argument = UnsafeRawBufferPointer(buffer).prefix(Int(length))
                if argument.starts(with: "\(name)=".utf8) { return Array(argument.dropFirst(name.utf8.count + 1)) }
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
