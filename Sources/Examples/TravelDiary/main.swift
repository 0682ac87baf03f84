import Foundation
import LocalPersistence

// A diary that stores data in all four places:
//
//     swift run TravelDiary call-me Kim
//     swift run TravelDiary write "A day at the sea"
//     swift run TravelDiary sign-in
//     swift run TravelDiary
//     swift run TravelDiary remove

do {
    try run(Diary(app: AppContainer("com.example.diary")), Array(CommandLine.arguments.dropFirst()))
} catch {
    FileHandle.standardError.write(Data("TravelDiary: \(error)\n".utf8))
    exit(1)
}

func run(_ diary: Diary, _ words: [String]) throws {
    switch (words.first, words.count) {
    case (nil, _):
        let entries = try diary.entries()
        print("\(try diary.name()), entries: \(entries.count), words: \(try diary.wordCount())")
        for entry in entries { print("- \(entry.text)") }
        print("words again, from the cache: \(try diary.wordCount())")
        print(try diary.token() == nil ? "signed out" : "signed in")
        print("device \(try diary.app.deviceIdentifier.value().uuidString.prefix(8))…")
    case ("call-me", 2):
        try diary.app.defaults.set(words[1], for: .name)
    case ("write", 2):
        try diary.write(words[1])
    case ("sign-in", 1):
        // A real token would come from the server.
        try diary.app.secrets.set(UUID().uuidString, for: .token)
    case ("remove", 1):
        try diary.app.remove()
        print("removed \(diary.app.identifier) except its items in the keychain")
    default:
        print("usage: TravelDiary [call-me NAME | write TEXT | sign-in | remove]")
    }
}
