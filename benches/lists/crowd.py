"""A platform that many people use, as rows for `quarry restore`: 50,000 users, 100,000 queries and what comes with them.

The same seed makes the same rows. Words, tags, favourites and authors follow Zipf's law, as they do among people: a few are
everywhere and most are rare. The account `me` has much of everything, since its own lists are measured too.
"""

import bisect
import itertools
import random
import time
from collections.abc import Iterable, Iterator

DAY = 86_400_000
USERS = 50_000
QUERIES = 100_000
DASHBOARDS = 20_000
PROJECTS = 5_000
GRAPHS = 2_000
ADDRESSES = 20_000
# The rows of a fresh home stay below these numbers.
FIRST_USER = 100
FIRST_NUMBER = 10_000

TOPICS = """gas mev stablecoin nft airdrop bridge staking whale liquidity lending dex swap yield vault oracle burn supply
validator bundle builder relay rollup blob calldata proxy factory token holder transfer volume fee revenue retention cohort
daily weekly monthly hourly top new active growth share price depth slippage arbitrage liquidation borrow collateral
mint sale floor royalty collection game bet market social wallet contract deployer creator miner pool uncle reorg nonce
tracker report dashboard overview analysis study history comparison ranking distribution trend summary monitor""".split()
CHINESE = """交易费用 区块 矿工 稳定币 巨鲸 流动性 质押 空投 跨链桥 借贷 清算 套利 价格 持有者 合约 部署 每日 每周 趋势 分析 报告 排名 分布""".split()
TABLES = ["transactions", "logs", "blocks", "token_transfers", "traces", "contracts", "withdrawals"]
COLUMNS = """block_number block_timestamp from_address to_address value gas gas_price receipt_gas_used receipt_status nonce
input topic0 topic1 data contract_address miner base_fee_per_gas size""".split()


class Zipf:
    """Picks from a list: the first most often, the n-th about 1/n as often."""

    def __init__(self, things: list, dice: random.Random, slope: float = 1.0):
        self.things, self.dice = things, dice
        self.sums = list(itertools.accumulate(1 / (place + 2) ** slope for place in range(len(things))))

    def pick(self):
        return self.things[bisect.bisect(self.sums, self.dice.random() * self.sums[-1])]


class Crowd:
    def __init__(self, me: int, seed: int = 1):
        self.dice = random.Random(seed)
        self.me = me
        self.now = int(time.time() * 1000)
        self.users = list(range(FIRST_USER, FIRST_USER + USERS))
        self.names = {user: f"{self.dice.choice(TOPICS)[:8]}_{user}" for user in self.users} | {me: "me"}
        rare = [f"{a}{b}" for a in TOPICS for b in TOPICS[:40]]
        self.dice.shuffle(rare)
        self.word = Zipf(TOPICS + CHINESE + rare, self.dice)
        tags = [word[:15] for word in TOPICS + CHINESE + rare[:400]]
        self.tag = Zipf(tags, self.dice)
        self.author = Zipf(self.dice.sample(self.users, USERS), self.dice, 0.6)
        self.queries = [f"query-{number}" for number in range(QUERIES)]
        self.dashboards = [f"dashboard-{number}" for number in range(DASHBOARDS)]
        self.projects = [f"project-{number}" for number in range(PROJECTS)]
        self.graphs = [f"graph-{number}" for number in range(GRAPHS)]
        self.addresses = [f"0x{self.dice.getrandbits(160):040x}" for _ in range(ADDRESSES)]
        self.owners: dict[str, int] = {}
        self.public: dict[str, bool] = {}
        self.favorites: dict[str, int] = {}

    def tables(self) -> Iterator[tuple[str, str, Iterable[list]]]:
        """Name, columns and rows of every table, in an order in which none refers to a later one."""
        favorites = self.favorite_rows()
        yield "users", "id user_name password_hash role email phone disabled created_at", self.user_rows()
        columns = "id number kind owner_id visibility title notes favorites created_at updated_at published_at"
        yield "creations", columns, self.creation_rows()
        yield "queries", "id kind text strategy next_run_at", self.query_rows()
        charts = ([f"chart-{n}", f"query-{n}", "line", '{"x":"day","y":["n"]}'] for n in range(QUERIES))
        yield "visualizations", "id query_id type options", charts
        yield "graphs", "id content", ([one, '{"nodes":[],"edges":[]}'] for one in self.graphs)
        yield "dashboards", "id content widgets", ([one, '{"widgets":[]}', 0] for one in self.dashboards)
        yield "project_items", "project_id item_id position", self.item_rows()
        yield "tags", "entity_kind entity_id tag_key tag creator_id created_at updated_at public", self.tag_rows()
        yield "favorites", "user_id entity_kind entity_id created_at", favorites
        yield "addresses", "address favorites created_at updated_at", self.address_rows()
        yield "creator_figures", "user_id stars dashboards queries", self.figure_rows()
        yield "comments", "id creation_id parent_id author_id content created_at", self.comment_rows()
        yield "versions", "creation_id version author_id created_at title content", self.version_rows()
        yield from self.work()
        yield from self.records()

    def counters(self) -> dict[str, int]:
        """Beyond every number that is in use."""
        names = "users creations letters login_records audit_log events feedback sent_messages credit_entries"
        return {name: 10_000_000 for name in [*names.split(), "operation_records", "address_labels", "signatures"]}

    def moment(self, days: int = 700) -> int:
        """More of them are young than old."""
        return self.now - int(days * DAY * self.dice.random() ** 2)

    def someone(self) -> int:
        return self.me if self.dice.random() < 0.01 else self.author.pick()

    def title(self) -> str:
        return " ".join(str(self.word.pick()) for _ in range(self.dice.randint(2, 5)))

    def user_rows(self) -> Iterator[list]:
        for place, user in enumerate(self.users):
            made = self.now - 700 * DAY + place * 700 * DAY // USERS
            phone = f"+8613{user:09d}" if user % 3 == 0 else None
            role = "ROLE_DEFAULT"
            yield [user, self.names[user], "x", role, f"user{user}@example.org", phone, int(user % 97 == 0), made]

    def creation_rows(self) -> Iterator[list]:
        number = itertools.count(FIRST_NUMBER)
        kinds = (("query", self.queries), ("dashboard", self.dashboards), ("project", self.projects), ("graph", self.graphs))
        for kind, ids in kinds:
            for place, one in enumerate(ids):
                owner, at = self.someone(), self.moment()
                self.owners[one] = owner
                visibility = self.dice.choices(["public", "private", "link"], [90, 7, 3])[0]
                self.public[one] = visibility == "public"
                notes = " ".join(self.title() for _ in range(self.dice.randint(0, 4)))
                stars, published = self.favorites.get(one, 0), at if visibility == "public" else None
                yield [one, next(number), kind, owner, visibility, self.title(), notes, stars, at, at, published]
                if kind == "query":
                    shown = "public" if visibility == "public" else "private"
                    chart = f"chart-{place}"
                    yield [chart, next(number), "visualization", owner, shown, "Chart", "", 0, at, at, published]

    def query_rows(self) -> Iterator[list]:
        for place, one in enumerate(self.queries):
            columns = ", ".join(self.dice.sample(COLUMNS, 4))
            table = TABLES[min(int(self.dice.expovariate(0.8)), len(TABLES) - 1)]
            text = (
                f"select {columns}, count(*) as n\nfrom {table}\n"
                f"where block_number > {self.dice.randint(1, 20_000_000)} and value > {place % 97}\ngroup by 1, 2, 3, 4"
            )
            kind = self.dice.choices(["SQL", "HIVE", "GRAPH"], [90, 7, 3])[0]
            scheduled = place % 50 == 0
            due = self.now + self.dice.randint(DAY, 2 * DAY) if scheduled else None
            yield [one, kind, text, "daily" if scheduled else "manual", due]

    def item_rows(self) -> Iterator[list]:
        for project in self.projects:
            for position, item in enumerate(self.dice.sample(self.queries, 8)):
                yield [project, item, position]

    def tag_rows(self) -> Iterator[list]:
        named = [("user", self.names[user]) for user in self.users[::10]]
        named += [("address", address) for address in self.addresses[::2]]
        named += [("dashboard", one) for one in self.dashboards] + [("project", one) for one in self.projects]
        for kind, one in named + [("query", one) for one in self.queries]:
            for tag in {self.tag.pick() for _ in range(self.dice.randint(0, 3))}:
                at = self.moment()
                by, public = self.owners.get(one, self.author.pick()), int(self.public.get(one, True))
                yield [kind, one, tag.lower(), tag, by, at, at, public]

    def favorite_rows(self) -> list[list]:
        pick = {
            "query": Zipf(self.queries, self.dice, 0.7),
            "dashboard": Zipf(self.dashboards, self.dice, 0.7),
            "project": Zipf(self.projects, self.dice, 0.7),
            "address": Zipf(self.addresses, self.dice, 0.7),
        }
        rows = {}
        for _ in range(200_000):
            kind = self.dice.choices(list(pick), [70, 20, 5, 5])[0]
            one = pick[kind].pick()
            rows[(self.someone(), kind, one)] = self.moment()
        for _, _, one in rows:
            self.favorites[one] = self.favorites.get(one, 0) + 1
        return [[*key, at] for key, at in rows.items()]

    def address_rows(self) -> Iterator[list]:
        for address in self.addresses:
            at = self.moment()
            yield [address, self.favorites.get(address, 0), at, at]

    def figure_rows(self) -> Iterator[list]:
        figures: dict[int, list[int]] = {}
        for one, owner in self.owners.items():
            row = figures.setdefault(owner, [0, 0, 0])
            row[0] += self.favorites.get(one, 0)
            if self.public[one] and one.startswith(("dashboard", "query")):
                row[1 if one.startswith("dashboard") else 2] += 1
        return ([user, *figure] for user, figure in figures.items())

    def comment_rows(self) -> Iterator[list]:
        for number in range(30_000):
            dashboard = self.dashboards[0] if number < 3_000 else self.dice.choice(self.dashboards)
            yield [f"comment-{number}", dashboard, None, self.someone(), self.title(), self.moment()]

    def version_rows(self) -> Iterator[list]:
        for place, one in enumerate([*self.queries, *self.dashboards]):
            for version in range(1, 300 if place in (0, QUERIES) else 2):
                yield [one, version, self.owners[one], self.moment(), "v", '{"text":"select 1"}']

    def work(self) -> Iterator[tuple[str, str, Iterable[list]]]:
        """Jobs and what people write and upload."""
        columns = "id owner_id kind state text created_at started_at finished_at progress result_rows query_id origin shared"
        yield "jobs", columns, self.job_rows()
        letters = ([n, *self.pair(), self.title(), f"{n}@@@0", self.now - (100_000 - n) * 60_000, self.read(n)]
                   for n in range(100_000))
        yield "letters", "id from_id to_id content client_time sent_at read_at", letters
        files = ([f"avatar/{n}.png", "avatar", self.someone(), f"{n}.png", "image/png", 1000, self.moment()]
                 for n in range(20_000))
        yield "files", "path scene owner_id name media size created_at", files
        feedback = ([n, self.someone(), self.title(), self.title(), "/home", "", ["open", "handled"][n % 2], self.moment()]
                    for n in range(10_000))
        yield "feedback", "id user_id title content url photo state created_at", feedback
        labels = ([n, self.me if n < 2_000 else 0, self.addresses[n], self.word.pick(), "EOA", "", "", "hand", "me",
                   self.moment()] for n in range(10_000))
        columns = "id owner_id address label label_type entity note source author created_at"
        yield "address_labels", columns, labels
        signatures = ([n, self.me, "function", f"0x{n:08x}", f"{self.word.pick()}{n}(uint256)", 0, self.moment()]
                      for n in range(2_000))
        yield "signatures", "id user_id kind hash signature everybody created_at", signatures
        dapps = ([100_000 + n, f"{self.word.pick()} {n}", "games", "", "", self.moment()] for n in range(2_000))
        yield "dapps", "id name dapp_type website note updated_at", dapps
        yield "dapp_addresses", "address dapp_name note updated_at", (
            [address, f"dapp {place % 2_000}", "", self.moment()] for place, address in enumerate(self.addresses[:10_000])
        )

    def pair(self) -> tuple[int, int]:
        """Two people; one letter in fifty is of or to `me`, who has 300 correspondents."""
        if self.dice.random() < 0.02:
            return self.dice.choice([(self.me, self.users[self.dice.randrange(300)]),
                                     (self.users[self.dice.randrange(300)], self.me)])
        one, other = self.author.pick(), self.author.pick()
        return (one, other) if one != other else (one, self.me)

    def read(self, number: int) -> int | None:
        return None if number % 5 == 0 else self.now

    def job_rows(self) -> Iterator[list]:
        for number in range(100_000):
            at, query = self.moment(90), self.queries[int(QUERIES * self.dice.random() ** 3)]
            state = self.dice.choices(["SUCCEEDED", "FAILED", "KILLED"], [90, 8, 2])[0]
            origin, done = ("schedule", self.owners[query]) if number % 4 == 0 else ("manual", self.someone())
            shared = int(origin == "schedule" or self.owners[query] == done)
            kind = self.dice.choices(["SQL", "HIVE", "GRAPH", "LABEL"], [88, 6, 4, 2])[0]
            yield [f"job{number}", done, kind, state, "select 1", at, at, at + 900, 100.0, 10, query, origin, shared]

    def records(self) -> Iterator[tuple[str, str, Iterable[list]]]:
        """What the back office looks at."""
        yield "sessions", "id user_id created_at expires_at last_seen_at address", (
            [f"session-{user}", user, self.now - DAY, self.now + DAY,
             self.now if user % 20 == 0 else self.now - DAY, "10.0.0.1"] for user in self.users
        )
        logins = ([n, user, self.names[user], ["login", "logout"][n % 2], "10.0.0.1", "agent", self.moment(200)]
                  for n, user in ((n, self.someone()) for n in range(100_000)))
        yield "login_records", "id user_id user_name action address agent acted_at", logins
        audit = ([n, self.moment(), self.me, "me", ["users", "files", "jobs"][n % 3], "POST", "/api/x", "", 200, "10.0.0.1"]
                 for n in range(50_000))
        yield "audit_log", "id acted_at user_id user_name area method path detail status address", audit
        sent = ([n, ["mail", "message"][n % 2], f"user{n}@example.org", "Code", "123456", "sent", "", self.moment()]
                for n in range(100_000))
        yield "sent_messages", "id channel target subject content state reason sent_at", sent
        credits = ([n, self.someone(), ["favourite", "fork", "dashboard"][n % 3], 1, f"bench:{n}", "", self.moment()]
                   for n in range(100_000))
        yield "credit_entries", "id user_id rule_key points subject note created_at", credits
        routes = ([n, self.moment(90), f"visitor-{self.dice.randrange(20_000)}",
                   self.names[self.someone()] if n % 3 == 0 else "", "/home", "Home",
                   f"/query/{self.word.pick()}", "Query", self.dice.randint(0, 60_000)] for n in range(100_000))
        columns = "id at visitor user_name previous_url previous_title current_url current_title browsed_ms"
        yield "route_events", columns, routes
        clicks = ([n, self.moment(90), f"visitor-{n % 20_000}", "", "/home", "button", "Run", "click"]
                  for n in range(50_000))
        yield "click_events", "id at visitor user_name current_url trigger_type title behavior", clicks
        operations = ([n, ["create", "edit", "delete"][n % 3], self.dashboards[n % DASHBOARDS], "board", user,
                       self.names[user], self.moment()] for n, user in ((n, self.someone()) for n in range(50_000)))
        columns = "id operation dashboard_id dashboard_name user_id user_name created_at"
        yield "operation_records", columns, operations
        messages = ([n, "notice", self.title(), "admin", self.moment()] for n in range(1_000))
        yield "platform_messages", "id kind content sender sent_at", messages
