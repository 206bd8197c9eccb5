import CMicroHTTPD

/// The functions that libmicrohttpd calls on its own threads.
///
/// They are written here and not where a daemon is started, so that none of them is taken for a main-actor closure.
enum MicroHTTPDCallbacks {
    /// MHD_CONTENT_READER_END_OF_STREAM, a macro with a cast.
    static let endOfStream = -1
    /// MHD_CONTENT_READER_END_WITH_ERROR.
    static let brokenOff = -2

    static let handle: MHD_AccessHandlerCallback = { core, connection, url, method, _, data, size, context in
        guard let core, let connection, let url, let method, let size, let context else { return .NO }
        if let known = context.pointee {
            let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
            guard size.pointee > 0 else { return exchange.proceed() }
            let bytes = UnsafeRawBufferPointer(start: data, count: size.pointee)
            size.pointee = 0
            return exchange.receive(bytes)
        }
        let exchange = Exchange(
            core: Unmanaged<ServerCore>.fromOpaque(core).takeUnretainedValue(), connection: connection,
            method: String(cString: method), path: String(cString: url))
        guard exchange.core.begin(exchange) else { return .NO }
        context.pointee = Unmanaged.passRetained(exchange).toOpaque()
        return exchange.begin(
            query: values(of: connection, kind: .GET_ARGUMENT_KIND).map { ($0.name, $0.value) },
            fields: fields(of: connection))
    }

    static let completed: MHD_RequestCompletedCallback = { _, _, context, _ in
        guard let known = context?.pointee else { return }
        context?.pointee = nil
        Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue().complete()
    }

    static let read: MHD_ContentReaderCallback = { context, _, buffer, max in
        guard let context else { return brokenOff }
        return Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
            .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: max))
    }

    static let free: MHD_ContentReaderFreeCallback = { context in
        if let context { Unmanaged<Exchange>.fromOpaque(context).release() }
    }

    private static func fields(of connection: OpaquePointer) -> HTTPFields {
        var fields = HTTPFields()
        for line in values(of: connection, kind: .HEADER_KIND) { fields.append(line.name, line.value) }
        return fields
    }

    private static func values(of connection: OpaquePointer, kind: MHD_ValueKind) -> [HTTPFields.Field] {
        var values: [HTTPFields.Field] = []
        withUnsafeMutablePointer(to: &values) { values in
            _ = MHD_get_connection_values_n(connection, kind, collect, values)
        }
        return values
    }

    private static let collect: MHD_KeyValueIteratorN = { context, _, name, nameCount, value, valueCount in
        guard let values = context?.assumingMemoryBound(to: [HTTPFields.Field].self) else { return .NO }
        values.pointee.append(HTTPFields.Field(name: text(name, nameCount), value: text(value, valueCount)))
        return .YES
    }

    private static func text(_ characters: UnsafePointer<CChar>?, _ count: Int) -> String {
        let bytes = UnsafeRawBufferPointer(start: characters, count: characters == nil ? 0 : count)
        return String(decoding: bytes, as: UTF8.self)
    }
}
