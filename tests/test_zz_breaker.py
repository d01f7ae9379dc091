import re, json, collections, urllib.parse, io, zipfile, uuid
import pytest
from django.test import Client
from django.urls import reverse
from tests.factories import *
from tests.tournaments.play import *
from tournaments.actions import staff
from tournaments.permissions import link_token
from players.permissions import Role
from datetime import timedelta
pytestmark=[pytest.mark.db, pytest.mark.django_db(transaction=True)]
EVIL=["", "\x00","a\x00b","9"*5000,"-1","1e400","NaN","Infinity","99999999999999999999","2147483648","9223372036854775808","1.5","\ufeff","\u202eabc","\u200b","a"*120,"a"*121,"é"*130,"x"*100_000,"<script>alert(1)</script>","{{7*7}}","%s%s%n","' OR 1=1--","\U0001F468\u200d\U0001F469","=cmd|'/c calc'!A1","٣","\ud7ff","\ufffd","\ufdd0","on","[]","{}","a\r\nb: c","ﷺ"*120,"İ"*120,"ŉ"*254,"ΐ"*250+"@a","ß"*200+"@ß.de","2027-13-45","0001-01-01","9999-12-31","١٢-٣","3-1","-3--1","999-999","k"*80+"\n","1,2,3","1-9999","0-0",",,,,","a"*254]
RAWEVIL=["%ED%A0%80","%FF%FE","%00","%C0%80","%F4%90%80%80"]
bad=[]; cnt=collections.Counter()
def chk(r,what):
    cnt[r.status_code]+=1
    if r.status_code>=500:
        e=getattr(r,"exc_info",None); bad.append((r.status_code,what,repr(e[1])[:300] if e else ""))
    return r
def parse_form(html, action=None):
    out={}
    for m in re.finditer(r"<form.*?</form>",html,re.S):
        f=m.group(0)
        if action and f'action="{action}"' not in f.split(">")[0]+">": continue
        cur={}
        for i in re.finditer(r"<input[^>]*>",f):
            t=i.group(0); n=re.search(r'name="([^"]+)"',t)
            if not n: continue
            v=re.search(r'value="([^"]*)"',t); ty=re.search(r'type="([^"]*)"',t); ty=ty.group(1) if ty else "text"
            if ty in("radio","checkbox") and "checked" not in t: cur.setdefault(n.group(1),""); continue
            cur[n.group(1)]=v.group(1) if v else ""
        for s in re.finditer(r'<select[^>]*name="([^"]+)"[^>]*>(.*?)</select>',f,re.S):
            o=re.search(r'<option[^>]*value="([^"]*)"[^>]*selected',s.group(2)) or re.search(r'<option[^>]*value="([^"]*)"',s.group(2))
            cur[s.group(1)]=o.group(1) if o else ""
        out.update(cur)
    return out
def fuzz(cl,path,good,tag,extra=()):
    for f in dict.fromkeys(list(good)+list(extra)):
        for e in (EVIL if len(good)<14 else EVIL[1:4]+EVIL[5:10]+EVIL[17:18]):
            g=dict(good); g[f]=e
            chk(cl.post(path,g),f"{tag} {f}={e[:20]!r}x{len(e)}")
        for e in RAWEVIL:
            g=dict(good); g.pop(f,None)
            chk(cl.post(path,(urllib.parse.urlencode(g)+f"&{f}={e}"),content_type="application/x-www-form-urlencoded"),f"{tag} {f} raw {e}")
        g=dict(good); g[f]=["zz","yy"]; chk(cl.post(path,g),f"{tag} dup {f}")
        g=dict(good); g.pop(f,None); chk(cl.post(path,g),f"{tag} no {f}")
def org(t):
    c=Client(raise_request_exception=False); c.force_login((t.event if hasattr(t,"event") else t).owner); return c
def done():
    print(dict(cnt)); 
    for b in bad[:60]: print(b)
    assert not bad
def test_desk_forms():
    ev=make_event(); c=org(ev)
    fuzz(c,"/desk/events/new/",{"name":"E","starts_on":"2027-01-01","ends_on":"2027-01-02","place":"p","zone":"Riga"},"event")
    fuzz(c,f"/desk/events/{ev.pk}/edit/",{"name":"E","starts_on":"2027-01-01","ends_on":"2027-01-02","place":"p","zone":"Riga"},"eventedit")
    p=f"/desk/events/{ev.pk}/tournaments/new/"
    good=parse_form(c.get(p).content.decode()); good.pop("csrfmiddlewaretoken",None); good={**good,"name":"T","format":"swiss"}
    r=c.post(p,good); assert r.status_code==302, (good, r.status_code)
    t=make_tournament(event=ev,seeding="hand"); e=make_entry(tournament=t,name="Z")
    fuzz(c,p,good,"tnew")
    fuzz(c,f"/desk/t/{t.pk}/settings/",good,"tset")
    fuzz(c,f"/desk/events/{ev.pk}/staff/links/new/",{"name":"R","role":"referee","tournament":str(t.pk),"tables":"1-3","expires_on":"2099-01-01"},"link")
    fuzz(c,f"/desk/events/{ev.pk}/staff/tokens/new/",{"name":"R"},"token")
    done()
def test_roster_forms():
    t=make_tournament(seeding="hand"); e=make_entry(tournament=t,name="Z"); c=org(t)
    g={"name":"A","email":"a@b.co","city":"c","club":"d","rating":"5","here":"on","name_again":"on","as_of":"2027-01-01","q":"a"}
    fuzz(c,f"/desk/t/{t.pk}/entries/add/",g,"add")
    fuzz(c,f"/desk/t/{t.pk}/entries/{e.pk}/",g,"edit")
    fuzz(c,f"/desk/t/{t.pk}/seeds/",{f"place-{e.pk}":"1"},"seeds")
    fuzz(c,f"/desk/t/{t.pk}/entries/{e.pk}/check-in/",{"as_of":"x","q":"y"},"ci")
    l=staff.create_link(event_id=t.event_id,tournament_id=t.pk,role=Role.DESK,name="D",expires_at=NOW+timedelta(days=3650),by=organiser(of=t),now=NOW)
    k=link_token(l); a=Client(raise_request_exception=False)
    fuzz(a,f"/s/{k}/entries/add/?tournament={t.pk}",g,"sadd")
    for u in ("/","/t/%d/"%t.pk): chk(c.get(f"/s/{k}{u}"),"desk")
    for q in ("as_of=0001-01-01T00:00:00%2B14:00","as_of=9999-12-31T23:59:59-14:00","as_of=0001-01-01","q=%00","as_of=2027-01-01T00:00:00.000000%2B00:00:59"):
        chk(c.get(f"/desk/t/{t.pk}/roster/?{q}"),q); chk(c.get(f"/desk/t/{t.pk}/roster/?part=roster&{q}"),q); chk(a.get(f"/s/{k}/?part=roster&{q}"),q)
    fuzz(c,f"/desk/t/{t.pk}/start/",{"leaving_out":"1,2"},"start")
    for what in ("csv","xlsx"): chk(c.get(f"/desk/t/{t.pk}/export/roster.{what}"),"export")
    for u in ("","pairings/","standings/","hall/"): chk(a.get(f"/t/{t.pk}/{u}"),"pub")
    done()
def test_result_forms():
    t=make_tournament(seeding="rating"); make_field(size=4,tournament=t); start(t)
    m=pairings(t,1)[0].match; c=org(t)
    l=staff.create_link(event_id=t.event_id,tournament_id=t.pk,role=Role.REFEREE,name="D",expires_at=NOW+timedelta(days=3650),by=organiser(of=t),now=NOW)
    k=link_token(l); a=Client(raise_request_exception=False)
    g=lambda:{"result":"forfeit_a","loser_sets":"1","key":uuid.uuid4().hex,"version":"0","why":"w"}
    fuzz(a,f"/s/{k}/matches/{m.pk}/result/",g(),"sres")
    for acc in ("application/json","garbage","*/*;q=x","text/html;q=0"):
        chk(a.post(f"/s/{k}/matches/{m.pk}/result/",{"result":"x"},HTTP_ACCEPT=acc),"acc"+acc)
    fuzz(a,f"/s/{k}/matches/{m.pk}/undo/",{"version":"1"},"sundo")
    fuzz(c,f"/desk/t/{t.pk}/matches/{m.pk}/result/",g(),"dres")
    fuzz(c,f"/desk/t/{t.pk}/matches/{m.pk}/clear/",{"version":"1","why":"x"},"dclear")
    e=t.entries.first()
    fuzz(c,f"/desk/t/{t.pk}/entries/{e.pk}/withdraw/",{"why":"x","as_of":"","q":""},"wd")
    fuzz(c,f"/desk/t/{t.pk}/entries/{e.pk}/return/",{"why":"x"},"ret")
    for x in ("draft","draft/again","publish","take-back","finish","reopen","play-on","check-in/open","check-in/close","check-in/all","remove"):
        fuzz(c,f"/desk/t/{t.pk}/{x}/",{"why":"x","accept_warnings":"on","early":"","name":"N","best":"2","accept_tie":"on"},x)
    done()
def test_sign_in():
    a=Client(raise_request_exception=False)
    fuzz(a,"/sign-in/",{"username":"a@b.co","password":"p","held":"h","next":"/"},"signin",)
    for ua in ("\x00","x"*10000,"\xff\xfe","ΐ"*300):
        chk(a.post("/sign-in/",{"username":"u@x.co","password":"p"},HTTP_USER_AGENT=ua,HTTP_ACCEPT=ua,HTTP_X_FORWARDED_FOR=ua),"ua")
    chk(a.post("/sign-in/?"+"q=1&"*2000,{"username":"u2@x.co","password":"p"}),"longq")
    chk(a.post("/sign-in/?a=%00",{"username":"u3@x.co","password":"p"}),"nulq")
    chk(a.post("/sign-in/?a=%ED%A0%80",{"username":"u4@x.co","password":"p"}),"surq")
    fuzz(a,"/language/",{"language":"ru","next":"/"},"lang")
    for al in ("","\x00","x"*5000,"ru;q=nan","*","ru-"*3000,"\xff","en;q=1e99"):
        chk(a.get("/",HTTP_ACCEPT_LANGUAGE=al),"al"); chk(a.get("/api/events/",HTTP_ACCEPT_LANGUAGE=al),"al")
    for h in ("evil.com","a b","\x00","[::1","localhost:99999","testserver:abc"):
        chk(a.get("/",HTTP_HOST=h),"host "+h); chk(a.get("/api/events/",HTTP_HOST=h),"host api "+h); chk(a.post("/sign-in/",{},HTTP_HOST=h),"host "+h)
    from players.models import Account
    from tournaments.permissions import first_organiser_token
    from django.db import transaction
    tok=first_organiser_token()
    for f,e in [(f,e) for f in ("name","email","password") for e in EVIL]:
        g={"name":"N","email":f"x{uuid.uuid4().hex}@example.org","password":"twenty-is-the-limit"}; g[f]=e
        Account.objects.all().delete()
        chk(Client(raise_request_exception=False).post(f"/welcome/{tok}/",g),f"welcome {f} {e[:20]!r}")
    done()
