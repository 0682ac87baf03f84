import Foundation
import Testing

import Security

@Suite("Bridging") struct BridgingTests {
    @Test func `a dictionary with keys of both kinds becomes a dictionary of Core Foundation`() {
        let query = ["class": "genp" as CFString] as [String: Any] as CFDictionary
        #expect(query["class"] as? String == "genp")
    }
}
