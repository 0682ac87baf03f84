internal import Coffer
internal import CofferBasics
internal import Foundation

extension ItemAnswer {
    /// The answer as objects of Foundation; nil if there is nothing to give, or Foundation has no such object.
    ///
    /// The objects are the caller's; the data that they were copied from are wiped, but for what a key keeps.
    consuming func object() -> NSObject? {
        switch consume self {
        case .none, .nothing: return nil
        case .data(var bytes):
            defer { bytes.wipe() }
            return NSData(copying: bytes)
        case .reference(let reference): return reference.object
        case .dictionary(let item): return (consume item).object()
        case .list(var answers):
            // From the end, so that nothing but `answer` holds its bytes when they are wiped.
            var objects: [NSObject] = []
            while let answer = answers.popLast() {
                if let object = (consume answer).object() { objects.append(object) }
            }
            return NSArray(array: objects.reversed())
        }
    }
}

extension ItemDictionary {
    fileprivate consuming func object() -> NSDictionary {
        defer { values.wipe(Query.dataKey) }
        let dictionary = NSMutableDictionary(capacity: values.count + 1)
        for (name, value) in values {
            if let object = value.object { dictionary.setObject(object, forKey: name as NSString) }
        }
        if let object = reference?.object { dictionary.setObject(object, forKey: kSecValueRef) }
        return dictionary
    }
}

extension ItemReference {
    /// The certificate, key or identity; nil if none can be made of the item.
    fileprivate var object: NSObject? {
        switch itemClass {
        case .certificate: SecCertificate(self)
        case .key: SecKey(self)
        case .identity: SecIdentity(self)
        case .genericPassword, .internetPassword: nil
        }
    }
}
