# What pages say of robots. For each three arguments, a page, how many numbers of an array are shown, and a pattern: the
# lines in which it is found, where an array of numbers is its length and some of them, rounded.
import base64, json, re, struct, sys

def rounded(x):
    return round(x, 5) + 0 if isinstance(x, float) else x


def plain(value, numbers, shown):
    if isinstance(value, dict) and set(value) == {"at", "count", "type"}:
        letter = {"f32": "f", "f64": "d", "u32": "I"}[value["type"]]
        size = struct.calcsize("<" + letter)
        assert value["at"] % 8 == 0
        all = struct.unpack_from("<%d%s" % (value["count"], letter), numbers, value["at"])
        some = all if len(all) <= shown else all[: shown // 2] + all[len(all) - shown // 2 :]
        return "%d %s: %s" % (value["count"], value["type"], " ".join("%g" % rounded(x) for x in some))
    if isinstance(value, dict):
        return {k: plain(v, numbers, shown) for k, v in value.items()}
    if isinstance(value, list):
        return [plain(v, numbers, shown) for v in value]
    return rounded(value)


def lines(value, indent):
    margin = "  " * indent
    if isinstance(value, list):
        for v in value:
            series = v.pop("series", []) if isinstance(v, dict) else []
            yield margin + "- " + json.dumps(v, ensure_ascii=False)
            for s in series:
                yield margin + "  series " + json.dumps(s, ensure_ascii=False)
        return
    for k, v in value.items():
        if isinstance(v, dict) and indent < 2 or isinstance(v, list) and v and isinstance(v[0], dict):
            yield margin + k
            yield from lines(v, indent + 1)
        else:
            yield margin + k + " " + json.dumps(v, ensure_ascii=False)


for page, shown, pattern in zip(*[iter(sys.argv[1:])] * 3):
    text = open(page, encoding="utf-8").read()
    pieces = re.findall('<script type="text/plain" class="numbers">(.*?)</script>', text)
    numbers = b"".join(base64.b64decode(piece) for piece in pieces)
    print(page)
    for name, data in re.findall('<script type="application/json" id="(.*?)">(.*?)</script>', text):
        assert "<" not in data
        for line in lines(plain(json.loads(data), numbers, int(shown)), 1):
            if re.search(pattern, line):
                print(line)
