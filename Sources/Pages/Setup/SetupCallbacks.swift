import CWebSockets

/// libwebsockets' callback for the requests of the setup page, which finds the service of its context.
func answerSetup(
    _ connection: OpaquePointer?, _ reason: lws_callback_reasons, _ session: UnsafeMutableRawPointer?,
    _ data: UnsafeMutableRawPointer?, _ length: Int
) -> Int32 {
    guard let user = lws_context_user(lws_get_context(connection)) else { return 0 }
    let service = Unmanaged<SetupService>.fromOpaque(user).takeUnretainedValue()
    let bytes = UnsafeRawBufferPointer(start: data, count: length)
    switch reason {
    case LWS_CALLBACK_HTTP:
        return service.respond(connection, path: String(decoding: bytes, as: UTF8.self))
    case LWS_CALLBACK_HTTP_BODY:
        return service.receiveBody(connection, bytes)
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        return service.endBody(connection)
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return service.writeAnswer(connection)
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        service.scheduleAnswers()
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION:
        // `data` is the descriptor of the new socket; the connection is the listening one.
        return service.admits(Int32(truncatingIfNeeded: Int(bitPattern: data))) ? 0 : -1
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
        service.connected(connection)
    case LWS_CALLBACK_WSI_DESTROY:
        service.disconnected(connection)
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE, LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        // There is nothing to upgrade to.
        return -1
    default:
        break
    }
    return 0
}
