# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Reads pcapng by the letter of draft-ietf-opsawg-pcapng, and knows nothing of strata: what a reader would take in silence is an error.

    blocks.py FILE       prints it in words"""
import struct
import sys

SECTION, INTERFACE, STATISTICS, PACKET = 0x0a0d0d0a, 1, 5, 6
NAMES = {SECTION: 'section', INTERFACE: 'interface', STATISTICS: 'statistics', PACKET: 'packet'}
OPTIONS = {SECTION: {1: 'comment', 2: 'hardware', 3: 'system', 4: 'application'},
           INTERFACE: {1: 'comment', 2: 'name', 3: 'description', 9: 'resolution'},
           STATISTICS: {1: 'comment', 7: 'dropped'},
           PACKET: {1: 'comment', 2: 'flags'}}
NUMBERS = {'resolution': '<B', 'flags': '<I', 'dropped': '<Q'}


def options(block, data):
    """[(name, value)], the values of texts as str."""
    found = []
    while data:
        code, length = struct.unpack_from('<HH', data)
        if code == 0:
            assert length == 0 and len(data) == 4, 'something stands behind the end of the options'
            return found
        value, padding = data[4:4 + length], data[4 + length:4 + (length + 3) // 4 * 4]
        assert len(value) == length and not any(padding), 'an option is cut, or its padding is not zero'
        name = OPTIONS[block][code]
        found.append((name, struct.unpack(NUMBERS[name], value)[0] if name in NUMBERS else value.decode()))
        data = data[4 + (length + 3) // 4 * 4:]
    assert not found, 'the options have no end'
    return found


def blocks(data):
    """[(type, members, options)]; members are a dictionary."""
    found, interfaces = [], 0
    while data:
        kind, length = struct.unpack_from('<II', data)
        assert length % 4 == 0 and length <= len(data) and struct.unpack_from('<I', data, length - 4)[0] == length, 'lengths of a block'
        body, data = data[8:length - 4], data[length:]
        if kind == SECTION:
            magic, major, minor, size = struct.unpack_from('<IHHQ', body)
            assert not found and (magic, major, minor, size) == (0x1a2b3c4d, 1, 0, 2 ** 64 - 1), 'the head of the section'
            members, rest = {}, body[16:]
        elif kind == INTERFACE:
            link, reserved, snap = struct.unpack_from('<HHI', body)
            assert (link, reserved) == (101, 0), 'an interface is not of raw IP'
            interfaces += 1
            members, rest = {'number': interfaces - 1, 'snap': snap}, body[8:]
        elif kind == STATISTICS:
            interface, high, low = struct.unpack_from('<III', body)
            members, rest = {'interface': interface, 'time_ns': high << 32 | low}, body[12:]
        else:
            interface, high, low, captured, size = struct.unpack_from('<IIIII', body)
            end = 20 + (captured + 3) // 4 * 4
            assert end <= len(body) and not any(body[20 + captured:end]), 'a packet is cut, or its padding is not zero'
            members, rest = {'interface': interface, 'time_ns': high << 32 | low, 'size': size, 'bytes': body[20:20 + captured]}, body[end:]
        assert found or kind == SECTION, 'no section begins it'
        assert members.get('interface', -1) < interfaces, 'a block is of an interface that has not come'
        found.append((kind, members, options(kind, rest)))
    return found


def in_words(data):
    """A line for each block, and one for each of its options."""
    text = ''
    for kind, members, said in blocks(data):
        words = ' '.join(f'{key}={value.hex() if isinstance(value, bytes) else value}' for key, value in members.items())
        text += f'{NAMES[kind]} {words}'.rstrip() + '\n'
        text += ''.join(f'  {name}: {value!r}\n' if '\n' in str(value) else f'  {name}: {value}\n' for name, value in said)
    return text


if __name__ == '__main__':
    with open(sys.argv[1], 'rb') as file:
        print(in_words(file.read()), end='')
