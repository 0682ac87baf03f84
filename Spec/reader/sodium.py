"""The primitives of vault-format.md section 1.1: BLAKE2b from Python, the rest from libsodium."""

import ctypes
import hashlib
import hmac

SODIUM = ctypes.CDLL("libsodium.so.23")
if SODIUM.sodium_init() < 0:
    raise OSError("libsodium cannot be initialized")
SODIUM.crypto_pwhash.argtypes = [ctypes.c_char_p, ctypes.c_ulonglong, ctypes.c_char_p,
                                 ctypes.c_ulonglong, ctypes.c_char_p, ctypes.c_ulonglong,
                                 ctypes.c_size_t, ctypes.c_int]
SODIUM.crypto_aead_xchacha20poly1305_ietf_decrypt.argtypes = [
    ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_ulonglong,
    ctypes.c_char_p, ctypes.c_ulonglong, ctypes.c_char_p, ctypes.c_char_p]
SODIUM.crypto_sign_verify_detached.argtypes = [ctypes.c_char_p, ctypes.c_char_p,
                                               ctypes.c_ulonglong, ctypes.c_char_p]
SODIUM.crypto_box_seal_open.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulonglong,
                                        ctypes.c_char_p, ctypes.c_char_p]

ARGON2ID13 = 2
TAG = 16
SEALED_BOX = 48  # the overhead of a sealed box


def H(size: int, key: bytes | None, label: str, data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=size, key=key or b"", salt=bytes(16),
                           person=label.encode("ascii").ljust(16, b"\0")).digest()


def siphash(key: bytes, data: bytes) -> bytes:
    """SipHash(key, data), 16 bytes."""
    digest = ctypes.create_string_buffer(16)
    SODIUM.crypto_shorthash_siphashx24(digest, data, ctypes.c_ulonglong(len(data)), key)
    return digest.raw


def equal(one: bytes, other: bytes) -> bool:
    """[VF-2] Compares in constant time."""
    return hmac.compare_digest(one, other)


def aead_open(key: bytes, nonce: bytes, associated: bytes, sealed: bytes) -> bytes | None:
    """Returns the plaintext, or None if it does not open."""
    if len(sealed) < TAG:
        return None
    plaintext = ctypes.create_string_buffer(max(1, len(sealed) - TAG))
    failed = SODIUM.crypto_aead_xchacha20poly1305_ietf_decrypt(
        plaintext, None, None, sealed, len(sealed), associated, len(associated), nonce, key)
    return None if failed else plaintext.raw[:len(sealed) - TAG]


# Section 14
LEAST_MEM, MOST_MEM, MOST_OPS, MOST_WORK = 8_192, 1_048_576, 16, 4_194_304


def is_within_limits(ops: int, mem: int, least_mem: int = LEAST_MEM) -> bool:
    """Returns whether a reader may use Argon2id with these parameters."""
    return least_mem <= mem <= MOST_MEM and 1 <= ops <= MOST_OPS and ops * mem <= MOST_WORK


def argon2id(passphrase: bytes, salt: bytes, ops: int, mem: int) -> bytes | None:
    """Returns 32 bytes, or None if there is not enough memory."""
    seed = ctypes.create_string_buffer(32)
    failed = SODIUM.crypto_pwhash(seed, 32, passphrase, len(passphrase), salt, ops, mem * 1024,
                                  ARGON2ID13)
    return None if failed else seed.raw


def public_key_of_seed(seed: bytes) -> bytes:
    """Returns the Ed25519 public key."""
    public, secret = ctypes.create_string_buffer(32), ctypes.create_string_buffer(64)
    SODIUM.crypto_sign_seed_keypair(public, secret, seed)
    return public.raw


def public_key_of_secret(secret: bytes) -> bytes:
    """Returns the X25519 public key."""
    public = ctypes.create_string_buffer(32)
    SODIUM.crypto_scalarmult_base(public, secret)
    return public.raw


def open_sealed(secret: bytes, public: bytes, box: bytes) -> bytes | None:
    """Returns what was sealed to the public key of a secret key, or None if it does not open."""
    if len(box) < SEALED_BOX or public_key_of_secret(secret) != public:
        return None
    content = ctypes.create_string_buffer(max(1, len(box) - SEALED_BOX))
    failed = SODIUM.crypto_box_seal_open(content, box, len(box), public, secret)
    return None if failed else content.raw[:len(box) - SEALED_BOX]


def verifies(signature: bytes, message: bytes, public_key: bytes) -> bool:
    return SODIUM.crypto_sign_verify_detached(signature, message, len(message), public_key) == 0
