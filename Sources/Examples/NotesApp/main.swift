import Foundation
import Security

// An app that shares its session with its widget, through an access group that the entitlements of both name, and has a
// draft of its own:
//
//     swift run NotesApp sign-in
//
// All of this is keychain code that also runs on Apple systems, where the entitlements are signed into the app. Here a
// plugin embeds the file beside this one.

let sharedGroup = "ABCDE12345.com.example.notes.shared"
let keychain = NotesKeychain(service: "com.example.notes")

switch CommandLine.arguments.dropFirst().first {
case "sign-in":
    print("session: \(keychain.store("token-4711", as: "session", in: sharedGroup))")
    // Without a group, an item goes into the first group of the entitlements, which is the app's own.
    print("draft: \(keychain.store("Dear diary", as: "draft"))")
case "show":
    print("session: \(keychain.text(of: "session", in: sharedGroup))")
    print("draft: \(keychain.text(of: "draft"))")
    print("color of the widget: \(keychain.text(of: "color"))")
default:
    print("usage: NotesApp sign-in | show")
}
