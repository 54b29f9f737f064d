"""Small tournaments in the files of pairing programs, with invented names; round 2 waits for its results."""

from __future__ import annotations

OPENGOTHA = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<Tournament dataVersion="201">
<Players>
<Player club="" country="DE" firstName="Ada" name="Example" rank="3K" rating="1800"/>
<Player club="" country="FR" firstName="Ben Émile" name="de Sample" rank="4K" rating="1700"/>
<Player club="" country="JP" firstName="Cleo" name="Model" rank="1D" rating="2100"/>
<Player club="" country="JP" firstName="Dan" name="Pattern" rank="1D" rating="2100"/>
</Players>
<Games>
<Game blackPlayer="EXAMPLEADA" handicap="0" knownColor="true" result="RESULT_UNKNOWN" roundNumber="2" tableNumber="1" \
whitePlayer="DESAMPLEBENÉMILE"/>
<Game blackPlayer="MODELCLEO" handicap="2" knownColor="true" result="RESULT_WHITEWINS" roundNumber="2" tableNumber="2" \
whitePlayer="PATTERNDAN"/>
</Games>
</Tournament>
"""
MACMAHON = """<?xml version="1.0" encoding="ISO-8859-1"?>
<!-- made by hand -->
<Tournament typeversion="9"><Name>Spring Cup</Name><NumberOfRounds>3</NumberOfRounds>
<IndividualParticipant><Id>1</Id><GoPlayer><FirstName>Ada</FirstName><Surname>Example</Surname>
<GoLevel>3k</GoLevel></GoPlayer></IndividualParticipant>
<IndividualParticipant><Id>2</Id><GoPlayer><FirstName>Ben Émile</FirstName><Surname>de Sample</Surname>
<GoLevel>4k</GoLevel></GoPlayer></IndividualParticipant>
<IndividualParticipant><Id>3</Id><GoPlayer><FirstName>Cleo</FirstName><Surname>Model</Surname></GoPlayer>
</IndividualParticipant>
<TournamentRound><RoundNumber>2</RoundNumber>
<Pairing><Black>1</Black><White>2</White><Handicap>2</Handicap><Result>?-?</Result>
<ResultByReferee>false</ResultByReferee><BoardNumber>1</BoardNumber><PairingWithBye>false</PairingWithBye></Pairing>
<Pairing><Black>3</Black><PairingWithBye>true</PairingWithBye><BoardNumber>2</BoardNumber></Pairing>
</TournamentRound></Tournament>
"""
CSV = """Round;Table;Black;White;Handicap;Komi;Club
2;1;Ada Example;de Sample, Ben Émile;2;0.5;"Go; and more"
2;2;Cleo Model;Dan Pattern;;;
"""
