"""The forms in which a program may write a secret, as Python's library writes them.

Usage: mask_oracle.py INPUT OUTPUT FORM SEED. INPUT and OUTPUT are lists of byte strings, each preceded by its length, four
bytes, the highest first. The answer to a secret is its form. Forms that hide the secret in something longer put 0 to 4 bytes
before and after it.
"""

import base64
import binascii
import json
import random
import re
import struct
import subprocess
import sys
import textwrap
import urllib.parse

generator = random.Random(int(sys.argv[4]))


def lower_escapes(text):
    return re.sub("%..", lambda match: match[0].lower(), text)


def wrapped(text, width, end):
    return end.join(text[index : index + width] for index in range(0, len(text), width)) + end


def some_bytes():
    return bytes(generator.randrange(256) for _ in range(generator.randrange(5)))


def units(text):
    """The UTF-16 code units of a text, as JSON escapes them."""
    data = text.encode("utf-16-be")
    return ["\\u" + data[index : index + 2].hex() for index in range(0, len(data), 2)]


def some_escaped(text):
    return "".join("".join(units(one)) if one in '"\\\n\r\t' or generator.random() < 0.5 else one for one in text)


def base64_lines(secret, letters=base64.b64encode, end="\n"):
    return wrapped(letters(secret).decode(), generator.randrange(1, 77), end)


def hex_lines(secret, separator, width, indentation):
    pairs = [secret[index : index + 1].hex() for index in range(len(secret))]
    lines = [separator.join(pairs[index : index + width]) for index in range(0, len(pairs), width)]
    return (separator.rstrip() + "\n").join(indentation + line for line in lines) + "\n"


def shell_word(secret):
    """A word that the shell reads as the secret, without the quotes around it."""
    command = ["bash", "-c", 'printf %q "$1"', "bash", secret]
    word = subprocess.run(command, env={"LC_ALL": "C"}, stdout=subprocess.PIPE, check=True).stdout
    return word[2:-1] if word.startswith(b"$'") else word


FORMS = {
    "itself": lambda s: s,
    "percent": lambda s: urllib.parse.quote_from_bytes(s, safe=""),
    "percent, lower case": lambda s: lower_escapes(urllib.parse.quote_from_bytes(s, safe="")),
    "percent, in part": lambda s: urllib.parse.quote_from_bytes(s, safe="/:?#[]@!$&'()*+,;="),
    "percent, all of it": lambda s: "".join("%%%02X" % byte for byte in s),
    "percent, of a form": lambda s: urllib.parse.quote_plus(s),
    "JSON": lambda s: json.dumps(s.decode())[1:-1],
    "JSON, upper case": lambda s: re.sub(r"\\u....", lambda m: "\\u" + m[0][2:].upper(), json.dumps(s.decode())[1:-1]),
    "JSON, not ASCII": lambda s: json.dumps(s.decode(), ensure_ascii=False)[1:-1],
    "JSON, slashes": lambda s: json.dumps(s.decode())[1:-1].replace("/", "\\/"),
    "JSON, all of it": lambda s: "".join(units(s.decode())),
    "JSON, in part": lambda s: some_escaped(s.decode()),
    "Python": lambda s: repr(s)[2:-1],
    "octal": lambda s: "".join("\\%03o" % byte for byte in s),
    "shell": shell_word,
    "CRLF": lambda s: s.replace(b"\n", b"\r\n"),
    "CRLF in JSON": lambda s: json.dumps(s.decode().replace("\n", "\r\n"))[1:-1],
    "CRLF, percent": lambda s: urllib.parse.quote_from_bytes(s.replace(b"\n", b"\r\n")),
    "CRLF in base64": lambda s: base64.b64encode(s.replace(b"\n", b"\r\n")),
    "CRLF in hexadecimal": lambda s: s.replace(b"\n", b"\r\n").hex(),
    "indented": lambda s: textwrap.indent(s.decode(), generator.choice(["  ", "    ", "\t", " \t "])),
    "indented, CRLF": lambda s: textwrap.indent(s.decode(), "        ").replace("\n", "\r\n"),
    "base64": base64.b64encode,
    "base64 for addresses": base64.urlsafe_b64encode,
    "base64 without padding": lambda s: base64.urlsafe_b64encode(s).rstrip(b"="),
    "base64, MIME": base64.encodebytes,
    "base64, slashes escaped": lambda s: base64.b64encode(s).decode().replace("/", "\\/"),
    "base64, plus escaped": lambda s: base64.b64encode(s).decode().replace("+", "\\u002B"),
    "base64, percent": lambda s: urllib.parse.quote(base64.b64encode(s).rstrip(b"="), safe=""),
    "base64, MIME in JSON": lambda s: json.dumps(base64.encodebytes(s).decode().rstrip("=\n"))[1:-1],
    "base64, lines": base64_lines,
    "base64, lines for addresses": lambda s: base64_lines(s, base64.urlsafe_b64encode),
    "base64, CRLF": lambda s: base64_lines(s, end="\r\n"),
    "base64, indented": lambda s: textwrap.indent(base64_lines(s), "    "),
    "base64 of more": lambda s: base64.b64encode(some_bytes() + s + some_bytes()),
    "base64 of more, lines": lambda s: base64_lines(some_bytes() + s + some_bytes()),
    "hexadecimal": binascii.hexlify,
    "hexadecimal, upper case": lambda s: binascii.hexlify(s).upper(),
    "hexadecimal, colons": lambda s: binascii.hexlify(s, ":"),
    "hexadecimal, blanks": lambda s: binascii.hexlify(s, " ").upper(),
    "hexadecimal, in pairs": lambda s: binascii.hexlify(s, " ", -2),
    "hexadecimal as openssl prints keys": lambda s: hex_lines(s, ":", 15, "    "),
    "hexadecimal as openssl prints names": lambda s: hex_lines(s, " ", 16, ""),
    "hexadecimal as xxd -p prints": lambda s: wrapped(s.hex(), 60, "\n"),
    "hexadecimal of C": lambda s: ", ".join("0x%02x" % byte for byte in s),
    "hexadecimal of more": lambda s: binascii.hexlify(some_bytes() + s + some_bytes()),
}


def items(path):
    data = open(path, "rb").read()
    while data:
        size = struct.unpack(">I", data[:4])[0]
        yield data[4 : 4 + size]
        data = data[4 + size :]


with open(sys.argv[2], "wb") as output:
    for item in items(sys.argv[1]):
        answer = FORMS[sys.argv[3]](item)
        answer = answer.encode() if isinstance(answer, str) else answer
        output.write(struct.pack(">I", len(answer)) + answer)
