// What the modules below the keychain of macOS answer about themselves and their keys.

/// The module was used before it was initialized.
public let errSecNotInitialized: OSStatus = -67667
/// The handle is not for this use.
public let errSecInvalidHandleUsage: OSStatus = -67668
/// What a pointer was to be validated against is not there.
public let errSecPVCReferentNotFound: OSStatus = -67669
/// The function is not the one that was built.
public let errSecFunctionIntegrityFail: OSStatus = -67670
/// Something failed inside that should not.
public let errSecInternalError: OSStatus = -67671
/// Memory could not be had, or was damaged.
public let errSecMemoryError: OSStatus = -67672
/// The data make no sense.
public let errSecInvalidData: OSStatus = -67673
/// The directory of the modules failed.
public let errSecMDSError: OSStatus = -67674
/// A pointer leads nowhere.
public let errSecInvalidPointer: OSStatus = -67675
/// The module failed its own check.
public let errSecSelfCheckFailed: OSStatus = -67676
/// The function failed without saying why.
public let errSecFunctionFailed: OSStatus = -67677
/// The signature of the module's manifest is wrong.
public let errSecModuleManifestVerifyFailed: OSStatus = -67678
/// The identifier of the module is none.
public let errSecInvalidGUID: OSStatus = -67679
/// The handle is none that was given out.
public let errSecInvalidHandle: OSStatus = -67680
/// The list of databases makes no sense.
public let errSecInvalidDBList: OSStatus = -67681
/// The function to pass through has no such number.
public let errSecInvalidPassthroughID: OSStatus = -67682
/// The network address makes no sense.
public let errSecInvalidNetworkAddress: OSStatus = -67683
/// The list of revoked certificates has a signature already.
public let errSecCRLAlreadySigned: OSStatus = -67684
/// There are too few or too many fields.
public let errSecInvalidNumberOfFields: OSStatus = -67685
/// What was to be verified is not as it should be.
public let errSecVerificationFailure: OSStatus = -67686
/// The tag is not known.
public let errSecUnknownTag: OSStatus = -67687
/// The signature is wrong.
public let errSecInvalidSignature: OSStatus = -67688
/// The name is not one that is permitted.
public let errSecInvalidName: OSStatus = -67689
/// The reference does not lead to a certificate.
public let errSecInvalidCertificateRef: OSStatus = -67690
/// The group of certificates makes no sense.
public let errSecInvalidCertificateGroup: OSStatus = -67691
/// There is nothing with this tag.
public let errSecTagNotFound: OSStatus = -67692
/// The query makes no sense.
public let errSecInvalidQuery: OSStatus = -67693
/// The value is none of those that are permitted.
public let errSecInvalidValue: OSStatus = -67694
/// The callback failed.
public let errSecCallbackFailed: OSStatus = -67695
/// The entry of an access control list could not be deleted.
public let errSecACLDeleteFailed: OSStatus = -67696
/// The entry of an access control list could not be replaced.
public let errSecACLReplaceFailed: OSStatus = -67697
/// The entry of an access control list could not be added.
public let errSecACLAddFailed: OSStatus = -67698
/// The access control list could not be changed.
public let errSecACLChangeFailed: OSStatus = -67699
/// The credentials for access are wrong.
public let errSecInvalidAccessCredentials: OSStatus = -67700
/// The record is malformed.
public let errSecInvalidRecord: OSStatus = -67701
/// The access control list is malformed.
public let errSecInvalidACL: OSStatus = -67702
/// A sample that should prove who asks is wrong.
public let errSecInvalidSampleValue: OSStatus = -67703
/// Two parts have versions that do not go together.
public let errSecIncompatibleVersion: OSStatus = -67704
/// The privilege was refused.
public let errSecPrivilegeNotGranted: OSStatus = -67705
/// The scope is none that there is.
public let errSecInvalidScope: OSStatus = -67706
/// The validation of pointers is configured already.
public let errSecPVCAlreadyConfigured: OSStatus = -67707
/// The configuration for the validation of pointers is wrong.
public let errSecInvalidPVC: OSStatus = -67708
/// A manager of elective modules could not be loaded.
public let errSecEMMLoadFailed: OSStatus = -67709
/// A manager of elective modules could not be unloaded.
public let errSecEMMUnloadFailed: OSStatus = -67710
/// The module could not be loaded.
public let errSecAddinLoadFailed: OSStatus = -67711
/// The reference does not lead to a key.
public let errSecInvalidKeyRef: OSStatus = -67712
/// The keys do not stand in such an order.
public let errSecInvalidKeyHierarchy: OSStatus = -67713
/// The module could not be unloaded.
public let errSecAddinUnloadFailed: OSStatus = -67714
/// There is no reference to such a library.
public let errSecLibraryReferenceNotFound: OSStatus = -67715
/// The module's table of functions is malformed.
public let errSecInvalidAddinFunctionTable: OSStatus = -67716
/// The mask names services that do not exist.
public let errSecInvalidServiceMask: OSStatus = -67717
/// The module is not loaded.
public let errSecModuleNotLoaded: OSStatus = -67718
/// The module has no service of this number.
public let errSecInvalidSubServiceID: OSStatus = -67719
/// The context lacks an attribute.
public let errSecAttributeNotInContext: OSStatus = -67720
/// The manager of the module could not be initialized.
public let errSecModuleManagerInitializeFailed: OSStatus = -67721
/// The module has no manager.
public let errSecModuleManagerNotFound: OSStatus = -67722
/// There is nobody to be told of the event.
public let errSecEventNotificationCallbackNotFound: OSStatus = -67723
/// The input has the wrong length.
public let errSecInputLengthError: OSStatus = -67724
/// The output would have the wrong length.
public let errSecOutputLengthError: OSStatus = -67725
/// There is no such privilege.
public let errSecPrivilegeNotSupported: OSStatus = -67726
/// The device reports an error.
public let errSecDeviceError: OSStatus = -67727
/// The handle of the module is in use.
public let errSecAttachHandleBusy: OSStatus = -67728
/// Nobody has logged in.
public let errSecNotLoggedIn: OSStatus = -67729
/// The algorithm is not that of the key.
public let errSecAlgorithmMismatch: OSStatus = -67730
/// The key is not for this use.
public let errSecKeyUsageIncorrect: OSStatus = -67731
/// The record that holds the key is of the wrong type.
public let errSecKeyBlobTypeIncorrect: OSStatus = -67732
/// The header of the key contradicts itself.
public let errSecKeyHeaderInconsistent: OSStatus = -67733
/// Keys in this format cannot be used.
public let errSecUnsupportedKeyFormat: OSStatus = -67734
/// Keys of this size cannot be used.
public let errSecUnsupportedKeySize: OSStatus = -67735
/// The mask of the key's uses makes no sense.
public let errSecInvalidKeyUsageMask: OSStatus = -67736
/// The mask names uses of a key that there are not.
public let errSecUnsupportedKeyUsageMask: OSStatus = -67737
/// The mask of the key's attributes makes no sense.
public let errSecInvalidKeyAttributeMask: OSStatus = -67738
/// The mask names attributes of a key that there are not.
public let errSecUnsupportedKeyAttributeMask: OSStatus = -67739
/// The label of the key makes no sense.
public let errSecInvalidKeyLabel: OSStatus = -67740
/// A key cannot have such a label.
public let errSecUnsupportedKeyLabel: OSStatus = -67741
/// The key is not in the format that it claims.
public let errSecInvalidKeyFormat: OSStatus = -67742
/// Data in several buffers cannot be used here.
public let errSecUnsupportedVectorOfBuffers: OSStatus = -67743
/// The buffers for the input make no sense.
public let errSecInvalidInputVector: OSStatus = -67744
/// The buffers for the output make no sense.
public let errSecInvalidOutputVector: OSStatus = -67745
