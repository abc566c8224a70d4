import CWebSockets

// The callbacks of libwebsockets, which find the service of their context.

/// The service of a callback's context.
private func service(of connection: OpaquePointer?) -> PageService? {
    guard let user = lws_context_user(lws_get_context(connection)) else { return nil }
    return Unmanaged<PageService>.fromOpaque(user).takeUnretainedValue()
}

/// libwebsockets' callback for plain requests, and for upgrades without our subprotocol.
func answerRequest(
    _ connection: OpaquePointer?, _ reason: lws_callback_reasons, _ session: UnsafeMutableRawPointer?,
    _ data: UnsafeMutableRawPointer?, _ length: Int
) -> Int32 {
    switch reason {
    case LWS_CALLBACK_HTTP:
        let path = String(decoding: UnsafeRawBufferPointer(start: data, count: length), as: UTF8.self)
        return service(of: connection)?.respond(connection, path: path, session: session) ?? -1
    case LWS_CALLBACK_HTTP_BODY:
        return service(of: connection)?.receiveBody(connection, UnsafeRawBufferPointer(start: data, count: length))
            ?? -1
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        return service(of: connection)?.endBody(connection) ?? -1
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return service(of: connection)?.writeBody(connection, session: session) ?? -1
    case LWS_CALLBACK_HTTP_FILE_COMPLETION:
        return lws_http_transaction_completed(connection) == 0 ? 0 : -1
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION:
        // `data` is the descriptor of the new socket; the connection is the listening one.
        return service(of: connection)?.admits(Int32(truncatingIfNeeded: Int(bitPattern: data))) == true ? 0 : -1
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
        service(of: connection)?.connected(connection)
    case LWS_CALLBACK_WSI_DESTROY:
        service(of: connection)?.disconnected(connection)
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        // Without this check libwebsockets would also speak HTTP/2, whose streams are connections not counted here.
        let name = data.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
        return name?.lowercased() == "websocket" ? 0 : -1
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return -1
    default:
        break
    }
    return 0
}

/// libwebsockets' callback for the page's WebSockets.
func answerViewer(
    _ connection: OpaquePointer?, _ reason: lws_callback_reasons, _ session: UnsafeMutableRawPointer?,
    _ data: UnsafeMutableRawPointer?, _ length: Int
) -> Int32 {
    guard let service = service(of: connection) else { return 0 }
    switch reason {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return service.allowsViewer(connection) ? 0 : -1
    case LWS_CALLBACK_ESTABLISHED:
        return service.open(connection)
    case LWS_CALLBACK_RECEIVE:
        return service.receive(connection, UnsafeRawBufferPointer(start: data, count: length))
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return service.write(connection)
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        service.wakeViewers()
        service.scheduleAnswer()
    case LWS_CALLBACK_TIMER:
        service.checkBeat(connection)
    case LWS_CALLBACK_CLOSED:
        service.closed(connection)
    default:
        break
    }
    return 0
}
