internal import Coffer
internal import Foundation

extension ItemAnswer {
    /// The answer as objects of Foundation; nil if there is nothing to give, or no object that it could be.
    var object: NSObject? {
        switch self {
        case .none, .nothing: nil
        case .data(let bytes): Data(bytes) as NSData
        case .reference(let reference): reference.object
        case .dictionary(let item): item.object
        case .list(let answers): NSArray(array: answers.compactMap(\.object))
        }
    }
}

extension ItemDictionary {
    fileprivate var object: NSDictionary {
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
