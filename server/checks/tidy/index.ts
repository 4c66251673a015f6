import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Fault, type Rule, readDecisions, readGuides, readStyles, type SourceFile } from "../read/sources.ts";
import { bodiesAreNotCast } from "./bodies.ts";
import { pressedStaysFocused } from "./buttons.ts";
import { channelsKeepTheirOwn } from "./channels.ts";
import { loopsRest, machineClockIsNotRead, roomsShareAClock, statementsShareAClock, testsKeepNoTime } from "./clocks.ts";
import { columnsAreNamed } from "./columns.ts";
import { namesAreTheFields } from "./earlier-names.ts";
import { errorsStandOnce } from "./errors.ts";
import { languagesStandOnce } from "./languages.ts";
import { localesAreGuarded } from "./locales.ts";
import { codePathFaults, listPaths, mapFaults, namedPathFaults } from "./map.ts";
import { migrationsKeepRunning } from "./migrations.ts";
import { patternsAreLinear } from "./patterns.ts";
import { statementsGoTogetherByPipeline } from "./pipelines.ts";
import {
  entriesExportWhatIsNeeded,
  entriesOnlyExport,
  environmentStaysInConfig,
  methodsComeFromTheList,
  providersAreAlike,
  sqlStaysInSqlFiles,
  timeIsGiven,
} from "./places.ts";
import { longStatementsNameTheirPlan } from "./plans.ts";
import { readKeys, sharedReadsAreShort } from "./reads.ts";
import { faultsHaveReasons, sentencesAreNotParsed } from "./reasons.ts";
import { readRoutes, routesAreRefused } from "./routes.ts";
import { sealedColumnsAreDeclared } from "./sealed.ts";
import { filesAreShort, foldersAreSmall, functionsAreShort, linesFit, roomsAreSmall } from "./sizes.ts";
import { oneWriterATable, plainSql, readSchema, tenantWall } from "./statements.ts";
import { commentsAreOurs, wordsAreOurs } from "./wording.ts";
import { commandsFitThePlace, namesSaySomething, nothingIsPutOff, statementsSayWhat } from "./words.ts";

/** Every rule that only reads the sources. */
export function tidyFaults(files: SourceFile[], root: string): Fault[] {
  const routes = readRoutes(JSON.parse(readFileSync(join(root, "docs/openapi.json"), "utf8")));
  const rules: Rule[] = [
    filesAreShort,
    functionsAreShort,
    foldersAreSmall,
    roomsAreSmall,
    environmentStaysInConfig,
    sqlStaysInSqlFiles,
    entriesOnlyExport,
    entriesExportWhatIsNeeded,
    timeIsGiven,
    loopsRest,
    testsKeepNoTime,
    statementsShareAClock,
    roomsShareAClock,
    machineClockIsNotRead,
    patternsAreLinear,
    providersAreAlike,
    namesSaySomething,
    namesAreTheFields,
    nothingIsPutOff,
    commandsFitThePlace,
    (sources) => wordsAreOurs([...sources, ...readGuides(root)]),
    commentsAreOurs,
    statementsSayWhat,
    migrationsKeepRunning,
    errorsStandOnce,
    faultsHaveReasons,
    sentencesAreNotParsed,
    bodiesAreNotCast,
    pressedStaysFocused,
    languagesStandOnce,
    localesAreGuarded,
    methodsComeFromTheList,
    channelsKeepTheirOwn,
    sealedColumnsAreDeclared,
    ...statementRules(readFileSync(join(root, "docs/schema.sql"), "utf8")),
    routesAreRefused(routes),
  ];
  const map = { path: "ARCHITECTURE.md", text: readFileSync(join(root, "ARCHITECTURE.md"), "utf8") };
  const paths = listPaths(root);
  return [
    ...rules.flatMap((rule) => rule(files)),
    ...mapFaults(map, paths),
    ...codePathFaults(files, paths),
    ...namedPathFaults([...readGuides(root), ...readDecisions(root)], paths),
    ...linesFit([...files, ...readStyles(root)]),
  ];
}

/** The rules for statements, which read the schema's text. */
function statementRules(schemaText: string): Rule[] {
  const schema = readSchema(schemaText);
  return [
    plainSql,
    longStatementsNameTheirPlan(schemaText),
    oneWriterATable(schema),
    tenantWall(schema),
    columnsAreNamed(schema),
    sharedReadsAreShort(readKeys(schemaText)),
    statementsGoTogetherByPipeline,
  ];
}
