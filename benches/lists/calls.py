"""The calls that are measured: every list, search and count of the OpenAPI document with every filter it has.

`uncovered` compares them with the document, so that a list or a filter that is added later is measured or named here.
"""

import json
import pathlib
import urllib.parse

DAY = 86_400_000
RANGES = ["24h", "7d", "30d", "all"]
KINDS = ["query", "visualization", "graph", "dashboard", "project"]
ENTITIES = ["dashboard", "query", "user", "project", "address"]
JOB_KINDS = ["SQL", "HIVE", "GRAPH", "MAPREDUCE", "LABEL"]
JOB_STATES = ["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "KILLED"]
DAPP_TYPES = ["games", "finance", "betting", "market", "social", "others", "utilities", "high-risk"]

# Calls that list nothing of the platform: the chain, a result's rows, one object, what is in the program, files for download.
NO_LISTS = """/api/assistant/status /api/chain/monitor /api/chain/status /api/creation/share/link /api/dashboard/version/detail
/api/dashboard/widget/result /api/engine/catalogue /api/engine/templates /api/file/byte/array /api/file/download
/api/interceptor/logInAndOutAll/export /api/interceptor/onlineUser/delete /api/job/{jobId} /api/job/{jobId}/download
/api/job/{jobId}/graph /api/job/{jobId}/log /api/job/{jobId}/result /api/official/visualization /api/query/result
/api/query/version/detail /api/system/audit/export /api/system/cluster /api/system/dataLink/history
/api/system/dataLink/status /api/system/feedback/export /api/system/platform-user/export /api/table/describe /api/user/api-key/usage/{id}
/api/v1/metrics/bulk /api/v1/metrics/metadata /api/v1/metrics/{category}/{metric} /api/ws /healthz /readyz""".split()
# Whom a link was given does not change what is read.
NO_FILTERS = {"share"}


def asked(path: str, **values) -> str:
    return path + ("?" if values else "") + urllib.parse.urlencode({name.rstrip("_"): value for name, value in values.items()})


def discover() -> list[str]:
    searches = {
        "queries": ["transactions", "gas report", '"gas report"', "tag:nft", "tag:nft -whale", "-gas mev", "gas fee tag:mev",
                    "block_number", "费用", "交易费用", "报告", "author:{author}", "99999", "nothinglikethis", "gas 费用",
                    "select count", "a", '"select block_number"', "value gas_price -nonce", "矿工 巨鲸", "monitorgas"],
        "dashboards": ["gas", "gas report", "费用", "稳定币", "tag:nft", "author:{author}", "monitorgas"],
        "projects": ["gas", "费用", "monitorgas"],
        "creators": ["gas", "g", "{author}", "monitorgas"],
        "addresses": ["0x1", "tag:gas", "gas", "费用", "{address}", "monitorgas"],
    }
    calls = []
    for tab, texts in searches.items():
        path = f"/api/discover/{tab}"
        for sort in ["favorites", "time"]:
            calls += [asked(path, sort=sort, range=span) for span in RANGES]
            calls += [asked(path, sort=sort, range=span, page=20, size=50) for span in RANGES[:3]]
            calls += [asked(path, sort=sort, page=page, size=50) for page in (2, 20, 200, 1500)]
            calls += [asked(path, sort=sort, search=text) for text in texts]
            calls += [asked(path, sort=sort, range=span, search=text) for span in RANGES[:3] for text in (texts[0], "费用")]
            calls += [asked(path, sort=sort, page=page, size=50, search=texts[0]) for page in (2, 20, 100)]
    for sort in ["favorites", "time"]:
        for span in RANGES[:3]:
            calls += [asked("/api/discover/queries", sort=sort, range=span, search=text) for text in ("gas", "value", "monitorgas")]
        calls += [asked("/api/discover/queries", sort=sort, page=page, size=50, search=text)
                  for page in (20, 100, 500) for text in ("gas", "value", "费用")]
        calls += [asked("/api/discover/queries", sort=sort, range="30d", page=20, size=50, search="value")]
    calls += [asked("/api/discover/counts", range=span) for span in RANGES]
    calls += [asked("/api/discover/counts", search=text)
              for text in ("gas", "gas report", '"gas report"', "value", "费用", "monitorgas", "tag:nft", "a")]
    calls += [asked("/api/discover/counts", range=span, search=text) for span in RANGES[:3] for text in ("gas", "value", "费用")]
    return calls


def tags() -> list[str]:
    calls = [asked("/api/tag/trending", range=span) for span in RANGES]
    calls += [asked("/api/tag/trending", range="30d", size=100)]
    for path, last in (("/api/tag/list", 500), ("/api/tag/mine", 40)):
        calls += [path, asked(path, page=last, size=50), asked(path, page=20, size=50)]
        calls += [asked(path, entity=entity) for entity in ENTITIES]
        calls += [asked(path, tag=tag) for tag in ("gas", "费用", "nothinglikethis")]
        calls += [asked(path, tag="gas", entity=entity) for entity in ("dashboard", "query")]
        calls += [asked(path, tag="gas", page=20, size=50), asked(path, entity="query", page=100, size=50)]
    return calls


def creations() -> list[str]:
    calls = []
    for path, more in (("/api/creation/mine", {}), ("/api/creation/ofUser", {"userName": "{author}"}),
                       ("/api/creation/ofUser", {"userName": "me"})):
        calls += [asked(path, **more), asked(path, **more, page=20), asked(path, **more, page=20, size=50)]
        calls += [asked(path, **more, kind=kind) for kind in KINDS]
        calls += [asked(path, **more, search=text) for text in ("gas", "报告", "monitorgas")]
        calls += [asked(path, **more, kind="query", search="gas", page=2)]
    for kind in ENTITIES:
        calls += [asked("/api/favorite/list", kind=kind), asked("/api/favorite/names", kind=kind)]
        calls += [asked("/api/favorite/list", kind=kind, page=20, size=50)]
        calls += [asked("/api/favorite/names", kind=kind, page=20, size=50)]
    for path in ("/api/graph/list", "/api/project/list", "/api/visualization/list"):
        calls += [path, asked(path, page=2, size=50), asked(path, page=20, size=50)]
    calls += [asked("/api/visualization/list", search=text) for text in ("chart", "费用", "nothinglikethis")]
    calls += [asked("/api/visualization/detail", id="chart-0"), asked("/api/graph/detail", id="{graph}")]
    calls += [asked("/api/project/detail", id="project-0"), asked("/api/dashboard/detail", id="{dashboard}")]
    calls += ["/api/query/detail?id={query}", "/api/query/lineage?id={query}"]
    for path in ("/api/dashboard/comment/list?id={dashboard}", "/api/dashboard/version/list?id={dashboard}",
                 "/api/query/version/list?id={query}", "/api/query/run/list?id={query}", "/api/query/run/list?id={mine}"):
        calls += [path, f"{path}&page=5", f"{path}&page=50&size=50"]
    calls += ["/api/query/draft/list", "/api/official/dashboards", "/api/address/detail?address={address}"]
    calls += ["/api/label/ofAddress?address={address}", "/api/label/catalogue"]
    return calls


def work() -> list[str]:
    calls = []
    for path, more in (("/api/job/list", {}), ("/api/job/list", {"all": "true"}), ("/api/system/job/list", {})):
        calls += [asked(path, **more), *(asked(path, **more, page=page, size=50) for page in (20, 100, 2000))]
        calls += [asked(path, **more, page=page) for page in (40, 100)]
        calls += [asked(path, **more, kind=kind) for kind in JOB_KINDS] + [asked(path, **more, state=state) for state in JOB_STATES]
        calls += [asked(path, **more, kind="SQL", state="FAILED"), asked(path, **more, state="FAILED", page=20, size=50)]
    calls += [asked("/api/system/job/list", userName=name, **more)
              for name in ("gas", "zzz", "{author}") for more in ({}, {"state": "FAILED"}, {"page": 20, "size": 50})]
    for more in ({}, {"all": "true"}):
        calls += [asked("/api/query/schedule/list", **more, **page) for page in ({}, {"page": 30, "size": 50}, {"page": 40, "size": 50})]
    path = "/api/system/schedule/list"
    calls += [path, *(asked(path, page=page, size=50) for page in (2, 20, 40))]
    calls += [asked(path, state=state) for state in ("running", "late", "failed", "paused")]
    calls += [asked(path, state="failed", page=2, size=50), asked(path, userName="zzz")]
    calls += [asked(path, **{field: text}) for field in ("userName", "title") for text in ("gas", "{author}")]
    calls += [asked(path, title=title) for title in ("费用", "nothinglikethis")]
    calls += [asked(path, title="gas", userName="gas"), asked(path, title="gas", state="failed"), "/api/system/schedule/summary"]
    return calls


def people() -> list[str]:
    calls = ["/api/private/letter/user/list", "/api/private/letter/is-exist-not-read-message"]
    calls += ["/api/private/letter/chat/content?commentFrom={contact}"]
    calls += ["/api/private/letter/chat/content?commentFrom={contact}&before=5000&size=100"]
    calls += ["/api/creator/detail?userName={author}", "/api/creator/detail?userName=me", "/api/user/info"]
    calls += ["/api/system/user/userName/{author}", "/api/system/user/userId/new/ui/{person}"]
    for path in ("/api/platform/message/list", "/api/decoder/signature/list", "/api/label/own/list", "/api/user/credit/list",
                 "/api/white-paper/list"):
        calls += [path, asked(path, page=20, size=50)]
    calls += [asked("/api/decoder/signature/list", search=text) for text in ("gas", "费用", "nothinglikethis")]
    calls += [asked("/api/label/own/list", label=text) for text in ("gas", "费用", "nothinglikethis")]
    calls += [asked("/api/label/own/list", address="0x1"), asked("/api/label/own/list", address="{address}", label="gas")]
    calls += ["/api/user/api-key/list", "/api/user/code/channels", "/api/table/list", "/api/file/scenes"]
    calls += [asked("/api/dapp/ranking", period=period, sort=sort)
              for period in ("day", "week", "month") for sort in ("users", "transactions", "volume")]
    calls += [asked("/api/dapp/ranking", type=kind) for kind in DAPP_TYPES]
    return calls


def back_office(now: int) -> list[str]:
    """Each filter alone, all together, and with far pages."""
    day = {"from_": now - DAY, "to": now}
    week = {"from_": now - 7 * DAY, "to": now}
    past = {"from_": now - 100 * DAY, "to": now - 40 * DAY}
    times = [week, day, past]
    of_users = [{"userName": name} for name in ("gas", "zzz", "me", "{author}")]
    accounts = [*of_users, {"email": "user12"}, {"email": "nobody"}, {"phone": "13000"}, {"role": "admin"},
                {"role": "ROLE_DEFAULT"}, {"disabled": "true"}, {"disabled": "false"}, *times,
                {"userName": "gas", "disabled": "false", "role": "ROLE_DEFAULT", **week}]
    records = [*of_users, *times, {"userName": "gas", **week}]
    dapps = [{"name": "gas"}, {"name": "dapp 7"}, {"dappType": "games"}, {"dappType": "market"}, {"address": "0x1"},
             {"address": "{address}"}, {"name": "gas", "dappType": "games"}]
    filters = {
        "/api/system/user/list": accounts,
        "/api/system/platform-user/list": accounts,
        "/api/interceptor/logInAndOutAll": [*records, {"action": "login"}, {"action": "logout", "userName": "gas"},
                                            {"action": "login", **week}],
        "/api/interceptor/onlineUser/list": of_users,
        "/api/system/audit/list": [*records, {"area": "users"}, {"area": "jobs", **week}, {"area": "users", "userName": "zzz"}],
        "/api/system/message-record/mail": [{"target": "user12"}, {"target": "example"}, {"state": "sent"}, {"state": "failed"},
                                            *times, {"target": "user12", "state": "sent", **week}],
        "/api/system/message-record/message": [{"target": "user12"}, {"target": "example"}, {"state": "failed"}, *times],
        "/api/system/feedback/list": [*records, {"title": "gas"}, {"title": "费用"}, {"state": "open"}, {"state": "rejected"},
                                      {"title": "gas", "userName": "gas", "state": "open"}],
        "/api/system/dapp/info/list": dapps,
        "/api/system/dapp/reflect/list": dapps,
        "/api/system/score/entry/list": [*records, {"rule": "fork"}, {"rule": "fork", **week}, {"rule": "fork", "userName": "gas"}],
        "/api/system/revenue/list": of_users,
        "/api/system/label/list": [{"label": "gas"}, {"label": "费用"}, {"address": "0x1"}, {"address": "{address}"},
                                   {"label": "gas", "address": "0x1"}],
        "/api/system/web-access/list": [*records, {"url": "gas"}, {"url": "费用"}, {"url": "query"}, {"url": "gas", **week}],
        "/api/system/web-access/pages": [{"url": "gas"}, {"url": "query"}, {"url": "费用"}],
        "/api/system/white-paper/list": [],
    }
    for part in ("all", "part"):
        for what in ("Create", "Edit", "Delete"):
            filters[f"/api/dashboard/{part}{what}Record"] = records
    calls = []
    for path, chosen in filters.items():
        calls += [path, *(asked(path, page=page, size=50) for page in (20, 100, 900))]
        calls += [asked(path, **one) for one in chosen]
        # What many rows fulfil, a few pages on.
        calls += [asked(path, **one, page=10, size=50) for one in chosen]
    calls += ["/api/system/role/list", "/api/system/permission/list", "/api/system/score/rule/list"]
    calls += ["/api/system/platform-user/summary", "/api/system/platform-user/days", "/api/system/revenue/summary"]
    calls += ["/api/system/revenue/days", "/api/system/web-access/summary"]
    calls += [asked("/api/system/web-access/summary", **time) for time in times]
    return calls


def files(now: int) -> list[tuple[str, dict]]:
    """The one list that is asked with a body."""
    chosen = [{}, {"page": 100, "size": 50}, {"name": "12"}, {"name": "nothing"}, {"userName": "gas"}, {"userName": "zzz"},
              {"userName": "{author}"}, {"scene": "avatar"}, {"scene": "feedback"}, {"from": now - 7 * DAY, "to": now},
              {"scene": "avatar", "userName": "gas", "name": "12"}]
    return [("/api/file/list", body) for body in chosen]


def every(now: int) -> list[str | tuple[str, dict]]:
    calls = discover() + tags() + creations() + work() + people() + back_office(now)
    return [*dict.fromkeys(urllib.parse.unquote(call) for call in calls), *files(now)]


def uncovered(calls: list[str | tuple[str, dict]], document: pathlib.Path) -> list[str]:
    """Calls of the document, and their filters, that are not among these."""
    named: dict[str, set[str]] = {}
    for call in calls:
        path, _, query = call.partition("?") if isinstance(call, str) else (call[0], "", "")
        given = query.split("&") if isinstance(call, str) else call[1]
        named.setdefault(path, set()).update(part.partition("=")[0] for part in given)
    missing = []
    for path, methods in json.loads(document.read_text())["paths"].items():
        if "get" not in methods or path in NO_LISTS:
            continue
        start = path.partition("{")[0]
        found = [given for one, given in named.items() if one == path or "{" in path and one.startswith(start)]
        if not found:
            missing.append(path)
            continue
        wanted = {one["name"] for one in methods["get"].get("parameters", []) if one["in"] == "query"}
        missing += [f"{path}?{name}" for name in sorted(wanted - NO_FILTERS - set().union(*found))]
    return missing
