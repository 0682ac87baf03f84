// What calls about items answer, and the codes of the keychains of macOS.

/// Everything went well.
public let errSecSuccess: OSStatus = 0
/// This function, or this condition for this class of items, does not exist here.
public let errSecUnimplemented: OSStatus = -4
/// There is no space left on the disk.
public let errSecDiskFull: OSStatus = -34
/// Reading or writing the file failed.
public let errSecIO: OSStatus = -36
/// The file is open for writing already.
public let errSecOpWr: OSStatus = -49
/// The request makes no sense: a key, a value or its kind is wrong.
public let errSecParam: OSStatus = -50
/// This program may not write the file.
public let errSecWrPerm: OSStatus = -61
/// There is not enough memory.
public let errSecAllocate: OSStatus = -108
/// The person who was asked said no.
public let errSecUserCanceled: OSStatus = -128
/// That cannot be asked for at this moment.
public let errSecBadReq: OSStatus = -909
/// A part that this one relies on failed.
public let errSecInternalComponent: OSStatus = -2070
/// Core Foundation failed for a reason that is not known.
public let errSecCoreFoundationUnknown: OSStatus = -4960
/// The program has no entitlement for what it asks for.
public let errSecMissingEntitlement: OSStatus = -34018
/// A program of this kind may not call this function.
public let errSecRestrictedAPI: OSStatus = -34020
/// The keychain cannot be opened or read.
public let errSecNotAvailable: OSStatus = -25291
/// The keychain can be read, but not changed.
public let errSecReadOnly: OSStatus = -25292
/// The password, or another proof of who asks, is wrong.
public let errSecAuthFailed: OSStatus = -25293
/// There is no such keychain.
public let errSecNoSuchKeychain: OSStatus = -25294
/// The file is no keychain, or is damaged.
public let errSecInvalidKeychain: OSStatus = -25295
/// A keychain of this name exists already.
public let errSecDuplicateKeychain: OSStatus = -25296
/// This callback is registered already.
public let errSecDuplicateCallback: OSStatus = -25297
/// This callback was never registered.
public let errSecInvalidCallback: OSStatus = -25298
/// An item with the same primary key exists already.
public let errSecDuplicateItem: OSStatus = -25299
/// No item matches.
public let errSecItemNotFound: OSStatus = -25300
/// The buffer is too small for the answer.
public let errSecBufferTooSmall: OSStatus = -25301
/// The data are larger than an item can hold.
public let errSecDataTooLarge: OSStatus = -25302
/// Items of this class have no such attribute.
public let errSecNoSuchAttr: OSStatus = -25303
/// The reference does not lead to an item any more.
public let errSecInvalidItemRef: OSStatus = -25304
/// The search is not one that can be continued.
public let errSecInvalidSearchRef: OSStatus = -25305
/// There is no such class of items.
public let errSecNoSuchClass: OSStatus = -25306
/// No keychain is the default one.
public let errSecNoDefaultKeychain: OSStatus = -25307
/// The keychain is locked, and nobody can be asked to open it.
public let errSecInteractionNotAllowed: OSStatus = -25308
/// This attribute cannot be changed.
public let errSecReadOnlyAttr: OSStatus = -25309
/// The keychain was written by a version that this one cannot read.
public let errSecWrongSecVersion: OSStatus = -25310
/// Keys of this size are not allowed.
public let errSecKeySizeNotAllowed: OSStatus = -25311
/// There is no module that stores anything.
public let errSecNoStorageModule: OSStatus = -25312
/// There is no module that understands certificates.
public let errSecNoCertificateModule: OSStatus = -25313
/// There is no module that understands policies.
public let errSecNoPolicyModule: OSStatus = -25314
/// Somebody must be asked first, and this call did not allow it.
public let errSecInteractionRequired: OSStatus = -25315
/// The data of the item cannot be had.
public let errSecDataNotAvailable: OSStatus = -25316
/// The data of the item cannot be changed.
public let errSecDataNotModifiable: OSStatus = -25317
/// The certificates do not join into a chain.
public let errSecCreateChainFailed: OSStatus = -25318
/// There are no preferences for this domain.
public let errSecInvalidPrefsDomain: OSStatus = -25319
/// The computer woke without its screen, so nobody can be asked.
public let errSecInDarkWake: OSStatus = -25320
/// The access control list is not of the simple form that this call understands.
public let errSecACLNotSimple: OSStatus = -25240
/// There is no such policy.
public let errSecPolicyNotFound: OSStatus = -25241
/// This trust setting has a value that it cannot have.
public let errSecInvalidTrustSetting: OSStatus = -25242
/// Nothing is said about who may use this item.
public let errSecNoAccessForItem: OSStatus = -25243
/// The owner of an item cannot be changed in this way.
public let errSecInvalidOwnerEdit: OSStatus = -25244
/// There is nothing yet that says whether the certificate is trusted.
public let errSecTrustNotAvailable: OSStatus = -25245
/// Nothing can be imported from this format, or exported to it.
public let errSecUnsupportedFormat: OSStatus = -25256
/// The data are in no format that is known.
public let errSecUnknownFormat: OSStatus = -25257
/// The key may leave the keychain only encrypted.
public let errSecKeyIsSensitive: OSStatus = -25258
/// There is more than one private key where one is expected.
public let errSecMultiplePrivKeys: OSStatus = -25259
/// The data can only be opened with a passphrase.
public let errSecPassphraseRequired: OSStatus = -25260
/// The reference does not lead to a password.
public let errSecInvalidPasswordRef: OSStatus = -25261
/// The trust settings are damaged.
public let errSecInvalidTrustSettings: OSStatus = -25262
/// The certificate has no trust settings.
public let errSecNoTrustSettings: OSStatus = -25263
/// The passphrase of the PKCS #12 data is wrong, or the data were changed.
public let errSecPkcs12VerifyFailure: OSStatus = -25264
/// The certificate is not that of the signer.
public let errSecNotSigner: OSStatus = -26267
/// The data cannot be decoded.
public let errSecDecode: OSStatus = -26275
/// The service that does this work cannot be reached.
public let errSecServiceNotAvailable: OSStatus = -67585
/// The client has not said well enough who it is.
public let errSecInsufficientClientID: OSStatus = -67586
/// The device started anew in the meantime.
public let errSecDeviceReset: OSStatus = -67587
/// The device broke down.
public let errSecDeviceFailed: OSStatus = -67588
/// The program could not be added to the access control list.
public let errSecAppleAddAppACLSubject: OSStatus = -67589
/// The public key lacks some of its parameters.
public let errSecApplePublicKeyIncomplete: OSStatus = -67590
/// The signature does not belong to these data.
public let errSecAppleSignatureMismatch: OSStatus = -67591
/// The key begins to be valid at a date that makes no sense.
public let errSecAppleInvalidKeyStartDate: OSStatus = -67592
/// The key ceases to be valid at a date that makes no sense.
public let errSecAppleInvalidKeyEndDate: OSStatus = -67593
/// One form of the data could not be turned into the other.
public let errSecConversionError: OSStatus = -67594
/// Somebody tried to make the connection fall back to SSL 2.
public let errSecAppleSSLv2Rollback: OSStatus = -67595
/// There is more than the quota permits.
public let errSecQuotaExceeded: OSStatus = -67596
/// The file is larger than is permitted.
public let errSecFileTooBig: OSStatus = -67597
/// The record that describes the database is damaged.
public let errSecInvalidDatabaseBlob: OSStatus = -67598
/// The record that holds the key is damaged.
public let errSecInvalidKeyBlob: OSStatus = -67599
/// The record that describes the database is of another version.
public let errSecIncompatibleDatabaseBlob: OSStatus = -67600
/// The record that holds the key is of another version.
public let errSecIncompatibleKeyBlob: OSStatus = -67601
