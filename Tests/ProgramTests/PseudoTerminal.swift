import Foundation

/// A terminal without a screen: what a program writes to it can be read.
final class PseudoTerminal {
    struct Failed: Error { let call: String }

    /// The program's end.
    let device: FileHandle
    private let main: Int32

    // Linux's own requests (ioctl_tty(2)): what stands behind unlockpt and ptsname, which Swift does not import.
    private static let setLock: UInt = 0x4004_5431
    private static let openDevice: UInt = 0x5441

    /// - Parameter columns: its width.
    init(columns: UInt16) throws {
        main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: Int32 = 0
        guard main >= 0, ioctl(main, Self.setLock, &isLocked) == 0 else { throw Failed(call: "ptmx") }
        let end = ioctl(main, Self.openDevice, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard end >= 0 else { throw Failed(call: "open") }
        device = FileHandle(fileDescriptor: end, closeOnDealloc: false)
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard ioctl(main, UInt(TIOCSWINSZ), &size) == 0 else { throw Failed(call: "ioctl") }
    }

    deinit { close(main) }

    /// All that was written, up to when no program has the terminal open any more.
    func readToEnd() throws -> String {
        try device.close()
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(main, &buffer, buffer.count)
            // The end of a terminal reads as an error of the device.
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer.prefix(count)
        }
    }
}
