extension SodiumSuite {
    package func wipe(_ bytes: inout MutableSpan<UInt8>) {
        bytes.wipe()
    }
}
