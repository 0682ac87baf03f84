// What is wrong with the parameters of a cryptographic operation.

/// The context of the operation is not for it.
public let errSecInvalidContext: OSStatus = -67746
/// There is no such algorithm.
public let errSecInvalidAlgorithm: OSStatus = -67747
/// The key of the operation is wrong.
public let errSecInvalidAttributeKey: OSStatus = -67748
/// The operation needs a key.
public let errSecMissingAttributeKey: OSStatus = -67749
/// The initialization vector of the operation is wrong.
public let errSecInvalidAttributeInitVector: OSStatus = -67750
/// The operation needs an initialization vector.
public let errSecMissingAttributeInitVector: OSStatus = -67751
/// The salt of the operation is wrong.
public let errSecInvalidAttributeSalt: OSStatus = -67752
/// The operation needs a salt.
public let errSecMissingAttributeSalt: OSStatus = -67753
/// The padding of the operation is wrong.
public let errSecInvalidAttributePadding: OSStatus = -67754
/// The operation needs a padding.
public let errSecMissingAttributePadding: OSStatus = -67755
/// The random data of the operation are wrong.
public let errSecInvalidAttributeRandom: OSStatus = -67756
/// The operation needs random data.
public let errSecMissingAttributeRandom: OSStatus = -67757
/// The seed of the operation is wrong.
public let errSecInvalidAttributeSeed: OSStatus = -67758
/// The operation needs a seed.
public let errSecMissingAttributeSeed: OSStatus = -67759
/// The passphrase of the operation is wrong.
public let errSecInvalidAttributePassphrase: OSStatus = -67760
/// The operation needs a passphrase.
public let errSecMissingAttributePassphrase: OSStatus = -67761
/// The length of the operation's key is wrong.
public let errSecInvalidAttributeKeyLength: OSStatus = -67762
/// The operation needs the length of the key.
public let errSecMissingAttributeKeyLength: OSStatus = -67763
/// The block size of the operation is wrong.
public let errSecInvalidAttributeBlockSize: OSStatus = -67764
/// The operation needs a block size.
public let errSecMissingAttributeBlockSize: OSStatus = -67765
/// The size of the operation's output is wrong.
public let errSecInvalidAttributeOutputSize: OSStatus = -67766
/// The operation needs the size of the output.
public let errSecMissingAttributeOutputSize: OSStatus = -67767
/// The number of the operation's rounds is wrong.
public let errSecInvalidAttributeRounds: OSStatus = -67768
/// The operation needs a number of rounds.
public let errSecMissingAttributeRounds: OSStatus = -67769
/// The parameters of the algorithm are wrong.
public let errSecInvalidAlgorithmParms: OSStatus = -67770
/// The algorithm needs parameters.
public let errSecMissingAlgorithmParms: OSStatus = -67771
/// The label of the operation's result is wrong.
public let errSecInvalidAttributeLabel: OSStatus = -67772
/// The operation needs a label for its result.
public let errSecMissingAttributeLabel: OSStatus = -67773
/// The type of the operation's key is wrong.
public let errSecInvalidAttributeKeyType: OSStatus = -67774
/// The operation needs the type of the key.
public let errSecMissingAttributeKeyType: OSStatus = -67775
/// The mode of the operation is wrong.
public let errSecInvalidAttributeMode: OSStatus = -67776
/// The operation needs a mode.
public let errSecMissingAttributeMode: OSStatus = -67777
/// The number of effective bits is wrong.
public let errSecInvalidAttributeEffectiveBits: OSStatus = -67778
/// The operation needs a number of effective bits.
public let errSecMissingAttributeEffectiveBits: OSStatus = -67779
/// The start date of the operation's key is wrong.
public let errSecInvalidAttributeStartDate: OSStatus = -67780
/// The operation needs a start date for the key.
public let errSecMissingAttributeStartDate: OSStatus = -67781
/// The end date of the operation's key is wrong.
public let errSecInvalidAttributeEndDate: OSStatus = -67782
/// The operation needs an end date for the key.
public let errSecMissingAttributeEndDate: OSStatus = -67783
/// The version of the operation is wrong.
public let errSecInvalidAttributeVersion: OSStatus = -67784
/// The operation needs a version.
public let errSecMissingAttributeVersion: OSStatus = -67785
/// The prime of the operation is wrong.
public let errSecInvalidAttributePrime: OSStatus = -67786
/// The operation needs a prime.
public let errSecMissingAttributePrime: OSStatus = -67787
/// The base of the operation is wrong.
public let errSecInvalidAttributeBase: OSStatus = -67788
/// The operation needs a base.
public let errSecMissingAttributeBase: OSStatus = -67789
/// The subprime of the operation is wrong.
public let errSecInvalidAttributeSubprime: OSStatus = -67790
/// The operation needs a subprime.
public let errSecMissingAttributeSubprime: OSStatus = -67791
/// The number of the operation's iterations is wrong.
public let errSecInvalidAttributeIterationCount: OSStatus = -67792
/// The operation needs a number of iterations.
public let errSecMissingAttributeIterationCount: OSStatus = -67793
/// The handle of the operation's database is wrong.
public let errSecInvalidAttributeDLDBHandle: OSStatus = -67794
/// The operation needs the handle of a database.
public let errSecMissingAttributeDLDBHandle: OSStatus = -67795
/// The credentials of the operation are wrong.
public let errSecInvalidAttributeAccessCredentials: OSStatus = -67796
/// The operation needs credentials.
public let errSecMissingAttributeAccessCredentials: OSStatus = -67797
/// The format for public keys is wrong.
public let errSecInvalidAttributePublicKeyFormat: OSStatus = -67798
/// The operation needs a format for public keys.
public let errSecMissingAttributePublicKeyFormat: OSStatus = -67799
/// The format for private keys is wrong.
public let errSecInvalidAttributePrivateKeyFormat: OSStatus = -67800
/// The operation needs a format for private keys.
public let errSecMissingAttributePrivateKeyFormat: OSStatus = -67801
/// The format for symmetric keys is wrong.
public let errSecInvalidAttributeSymmetricKeyFormat: OSStatus = -67802
/// The operation needs a format for symmetric keys.
public let errSecMissingAttributeSymmetricKeyFormat: OSStatus = -67803
/// The format for wrapped keys is wrong.
public let errSecInvalidAttributeWrappedKeyFormat: OSStatus = -67804
/// The operation needs a format for wrapped keys.
public let errSecMissingAttributeWrappedKeyFormat: OSStatus = -67805
/// An operation in several steps has begun already.
public let errSecStagedOperationInProgress: OSStatus = -67806
/// The operation in several steps has not begun.
public let errSecStagedOperationNotStarted: OSStatus = -67807
/// The signature does not verify.
public let errSecVerifyFailed: OSStatus = -67808
/// How large the output will be is not known.
public let errSecQuerySizeUnknown: OSStatus = -67809
/// The data are no whole number of blocks.
public let errSecBlockSizeMismatch: OSStatus = -67810
/// The parts of the public key do not fit together.
public let errSecPublicKeyInconsistent: OSStatus = -67811
/// The device is not the one that it claims to be.
public let errSecDeviceVerifyFailed: OSStatus = -67812
/// The name to log in with is wrong.
public let errSecInvalidLoginName: OSStatus = -67813
/// Somebody has logged in already.
public let errSecAlreadyLoggedIn: OSStatus = -67814
/// There is no such algorithm for digests.
public let errSecInvalidDigestAlgorithm: OSStatus = -67815
