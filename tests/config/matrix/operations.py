"""Every operation of the API: who is let in, and what they get for an empty object. A method that is not here is none.

What the words in the third column stand for is in `roles.OPERATIONS`. Addresses stand here without `api/` and `int:`.
"""

OPERATIONS = """
GET    events/                                                    everybody      200
GET    events/<pk>/                                               everybody      200
GET    events/<pk>/tournaments/                                   everybody      200
GET    tournaments/<pk>/                                          everybody      200
GET    tournaments/<pk>/rounds/                                   everybody      200
GET    tournaments/<pk>/pairings/                                 everybody      200
GET    tournaments/<pk>/standings/                                everybody      200
GET    tournaments/<pk>/bracket/                                  everybody      200
GET    tournaments/<pk>/matches/<match_id>/                       everybody      200
GET    tournaments/<pk>/exports/                                  everybody      200
GET    tournaments/<pk>/exports/<sheet>/<kind>/                   everybody      200
GET    tournaments/<pk>/play/                                     everybody      200
GET    tournaments/<pk>/matches/<match_id>/game/                  everybody      200
GET    tournaments/<pk>/matches/<match_id>/record/                everybody      404
POST   positions/                                                 everybody      400
POST   practice/                                                  everybody      400
GET    practice/<token>/                                          everybody      200
POST   practice/<token>/moves/                                    everybody      400
GET    practice/<token>/record/                                   everybody      404
POST   tournaments/<pk>/register/                                 everybody      400

GET    me/                                                        somebody       200
GET    me/entries/                                                any_account    200
POST   me/entries/                                                any_account    400
POST   invitations/accept/                                        any_account    400
POST   events/                                                    hosts          400

PATCH  events/<pk>/                                               organisers     200
POST   events/<pk>/remove-demo/                                   organisers     409
GET    events/<pk>/log/                                           organisers     200
POST   events/<pk>/tournaments/                                   organisers     400
POST   events/<pk>/tournaments/import/                            organisers     400
GET    events/<pk>/staff-links/                                   organisers     200
POST   events/<pk>/staff-links/                                   organisers     400
GET    events/<pk>/staff-links/<link_id>/                         organisers     200
GET    events/<pk>/staff-links/<link_id>/qr/                      organisers     200
POST   events/<pk>/staff-links/<link_id>/revoke/                  organisers     200
POST   events/<pk>/staff-links/<link_id>/renew/                   organisers     200
GET    events/<pk>/organisers/                                    organisers     200
POST   events/<pk>/organisers/<account_id>/remove/                organisers     204
POST   events/<pk>/organisers/<account_id>/hand-over/             the_owner      200
POST   events/<pk>/leave/                                         all_but_owner  204
GET    events/<pk>/tokens/                                        organisers     200
POST   events/<pk>/tokens/                                        organisers     400
POST   events/<pk>/tokens/<token_id>/revoke/                      organisers     200

PATCH  tournaments/<pk>/                                          organisers     200
PATCH  tournaments/<pk>/play/                                     organisers     200
DELETE tournaments/<pk>/                                          organisers     409
POST   tournaments/<pk>/entries/<entry_id>/merge/                 organisers     400
POST   tournaments/<pk>/entries/<entry_id>/withdraw/              organisers     200
POST   tournaments/<pk>/entries/<entry_id>/return/                organisers     409
POST   tournaments/<pk>/entries/<entry_id>/let-in/                organisers     409
POST   tournaments/<pk>/entries/<entry_id>/take-out/              organisers     409
POST   tournaments/<pk>/entries/<entry_id>/disqualify/            organisers     200
POST   tournaments/<pk>/entries/<entry_id>/reinstate/             organisers     409
POST   tournaments/<pk>/entries/<entry_id>/replace/               organisers     400
POST   tournaments/<pk>/entries/<entry_id>/replace-by/            organisers     400
POST   tournaments/<pk>/entries/<entry_id>/undo-replacement/      organisers     409
PUT    tournaments/<pk>/entries/<entry_id>/asked-byes/            organisers     400
POST   tournaments/<pk>/late-entries/                             organisers     400
POST   tournaments/<pk>/play-offs/                                organisers     400
POST   tournaments/<pk>/matches/<match_id>/drop-play-off/         organisers     409
GET    tournaments/<pk>/check/                                    organisers     200
POST   tournaments/<pk>/check/draw/                               organisers     409
POST   tournaments/<pk>/start/                                    organisers     200
POST   tournaments/<pk>/draft/                                    organisers     409
POST   tournaments/<pk>/pair-again/                               organisers     409
POST   tournaments/<pk>/swap/                                     organisers     400
POST   tournaments/<pk>/publish/                                  organisers     409
POST   tournaments/<pk>/take-back/                                organisers     200
POST   tournaments/<pk>/finish/                                   organisers     409
POST   tournaments/<pk>/reopen/                                   organisers     409
POST   tournaments/<pk>/play-on/                                  organisers     400
POST   tournaments/<pk>/matches/<match_id>/correct/               organisers     400
POST   tournaments/<pk>/matches/<match_id>/clear/                 organisers     428

GET    tournaments/<pk>/entries/                                  doors          200
POST   tournaments/<pk>/entries/                                  doors          400
GET    tournaments/<pk>/entries/<entry_id>/                       doors          200
PATCH  tournaments/<pk>/entries/<entry_id>/                       doors          200
DELETE tournaments/<pk>/entries/<entry_id>/                       doors          409
POST   tournaments/<pk>/entries/<entry_id>/check-in/              doors          409
POST   tournaments/<pk>/entries/<entry_id>/undo-check-in/         doors          409
POST   tournaments/<pk>/entries/<entry_id>/after-all/             doors          409
POST   tournaments/<pk>/entries/<entry_id>/give-place/            doors          409
GET    tournaments/<pk>/entries/<entry_id>/own-link/              doors          200
GET    tournaments/<pk>/entries/<entry_id>/own-link/qr/           doors          200
POST   tournaments/<pk>/entries/<entry_id>/own-link/renew/        doors          200
PUT    tournaments/<pk>/seeds/                                    doors          400
POST   tournaments/<pk>/scan/                                     doors          400
GET    tournaments/<pk>/imports/                                  doors          200
POST   tournaments/<pk>/imports/                                  doors          400
GET    tournaments/<pk>/imports/<import_id>/                      doors          200
POST   tournaments/<pk>/imports/<import_id>/confirm/              doors          200
POST   tournaments/<pk>/open-check-in/                            doors          409
POST   tournaments/<pk>/close-check-in/                           doors          409
POST   tournaments/<pk>/check-in-all/                             doors          409

GET    tournaments/<pk>/open-matches/                             tables         200
POST   tournaments/<pk>/results/                                  tables         400
GET    tournaments/<pk>/no-shows/                                 tables         200
POST   tournaments/<pk>/matches/<match_id>/begun/                 tables         200
POST   tournaments/<pk>/matches/<match_id>/no-show/               tables         428
POST   tournaments/<pk>/matches/<match_id>/result/                tables         400
PUT    tournaments/<pk>/matches/<match_id>/result/                tables         400
POST   tournaments/<pk>/matches/<match_id>/undo/                  tables         428
GET    tournaments/<pk>/reports/                                  tables         200
POST   tournaments/<pk>/reports/<submission_id>/confirm/          tables         200
POST   tournaments/<pk>/reports/<submission_id>/take-back/        tables         409

POST   tournaments/<pk>/matches/<match_id>/way/                   tables         400
POST   tournaments/<pk>/matches/<match_id>/game/undo/             tables         400
POST   tournaments/<pk>/matches/<match_id>/game/confirm/          tables         400
POST   tournaments/<pk>/matches/<match_id>/game/pause/            tables         409
POST   tournaments/<pk>/matches/<match_id>/game/resume/           tables         409
POST   tournaments/<pk>/matches/<match_id>/game/concede/          tables         400
POST   tournaments/<pk>/matches/<match_id>/game/rule/             tables         400

POST   tournaments/<pk>/matches/<match_id>/game/open/             table_or_seat  409
POST   tournaments/<pk>/matches/<match_id>/game/moves/            table_or_seat  400
POST   tournaments/<pk>/matches/<match_id>/game/ready/            seats          409
POST   tournaments/<pk>/matches/<match_id>/game/call/             seats          409

GET    own/                                                       players        200
PATCH  own/                                                       players        200
GET    own/matches/                                               players        200
POST   own/matches/<match_id>/here/                               players        200
GET    own/matches/<match_id>/reports/                            players        200
POST   own/matches/<match_id>/reports/                            players        400
POST   own/reports/<submission_id>/agree/                         players        200
POST   own/reports/<submission_id>/take-back/                     players        409
GET    own/side-deck/                                             players        200
PUT    own/side-deck/                                             players        400
GET    own/collection/                                            players        200
PUT    own/collection/                                            players        400
POST   own/check-in/                                              players        409
POST   own/undo-check-in/                                         players        409
POST   own/withdraw/                                              players        200
POST   own/again/                                                 players        200
"""
