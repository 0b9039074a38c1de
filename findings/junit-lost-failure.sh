#!/usr/bin/env bash
# One failed test, written in four ways that producers of JUnit reports use, and what five readers make of each.
#
# Behaviour (tests/failed as each reader counts them):
# - Nested suites (PHPUnit writes them): junit2html 31.1.4 shows only the tests of the outer suite, so the failed one is not there at all. The four
#   others find it.
# - Counts in attributes that do not fit the elements (a merged or filtered report): test-results-parser 0.4.6 believes the attributes, and says that
#   the run passed. The four others count elements.
# - No counts at all (they are optional in most descriptions of the format): test-results-parser counts NaN tests, and has the status SKIP.
# - A suite that could not be loaded, with an <error> of its own and no test (Jenkins' schema and several runners have it): no reader reports an error.
#   junitparser 5.0.3, junit2html, go-junit 1.0.0 and test-results-parser count 0 of 0, and Surefire's own parser 3.5.4 throws a
#   NullPointerException.
# So a gate that reads a report has to compare counts with elements, and has to be told what nesting means; a writer should not nest, should write
# all counts, and should turn a broken suite into a test that failed.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
mkdir reports go java
failed='<testcase classname="c" name="broken" time="1"><failure message="m">x</failure></testcase>'
passed='<testcase classname="c" name="fine" time="1"/>'
report() { printf '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>%s</testsuites>\n' "$2" > "reports/$1.xml"; }
report flat "<testsuite name=\"a\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\" time=\"2\">$passed$failed</testsuite>"
report nested "<testsuite name=\"a\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\" time=\"2\">$passed<testsuite name=\"b\" tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\" time=\"1\">$failed</testsuite></testsuite>"
report wrong-counts "<testsuite name=\"a\" tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"2\">$passed$failed</testsuite>"
report no-counts "<testsuite name=\"a\">$passed$failed</testsuite>"
report broken-suite '<testsuite name="a" tests="0" failures="0" errors="1" skipped="0" time="0"><error message="could not be loaded">x</error></testsuite>'

echo '{ "type": "module", "private": true }' > package.json
npm install --silent --no-audit --no-fund test-results-parser@0.4.6
cat > read.mjs <<'JS'
import { readdirSync } from "node:fs";
import { parse } from "test-results-parser";
for (const file of readdirSync("reports")) {
  const { total, failed, status } = parse({ type: "junit", files: [`reports/${file}`] });
  console.log(`${file.slice(0, -4)} test-results-parser ${total}/${failed} ${status}`);
}
JS
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check junitparser==5.0.3 junit2html==31.1.4
cat > read.py <<'PY'
import glob, os
import junitparser
from junit2htmlreport.parser import Junit
for file in glob.glob("reports/*.xml"):
    name = os.path.basename(file)[:-4]
    report = junitparser.JUnitXml.fromfile(file)
    report.update_statistics()
    print(name, "junitparser", f"{report.tests}/{report.failures + report.errors}")
    suites = Junit(file).suites
    print(name, "junit2html", f"{sum(len(s.all()) for s in suites)}/{sum(len(s.failed()) for s in suites)}")
PY
cat > go/go.mod <<'GO'
module readers
go 1.25.0
require github.com/joshdk/go-junit v1.0.0
GO
cat > go/main.go <<'GO'
package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/joshdk/go-junit"
)

func main() {
	files, _ := filepath.Glob("reports/*.xml")
	for _, file := range files {
		suites, err := junit.IngestFile(file)
		if err != nil {
			panic(err)
		}
		tests, failed := 0, 0
		for _, suite := range suites {
			suite.Aggregate()
			tests += suite.Totals.Tests
			failed += suite.Totals.Failed + suite.Totals.Error
		}
		fmt.Printf("%s go-junit %d/%d\n", strings.TrimSuffix(filepath.Base(file), ".xml"), tests, failed)
	}
}
GO
(cd go && go mod tidy 2> /dev/null && go build -o ../read-go .)
cat > java/pom.xml <<'XML'
<project><modelVersion>4.0.0</modelVersion><groupId>readers</groupId><artifactId>readers</artifactId><version>1</version>
<dependencies><dependency><groupId>org.apache.maven.surefire</groupId><artifactId>surefire-report-parser</artifactId><version>3.5.4</version></dependency></dependencies></project>
XML
(cd java && mvn -q -B dependency:build-classpath -Dmdep.outputFile=classpath > /dev/null)
cat > java/Read.java <<'JAVA'
import java.io.File;
import org.apache.maven.plugin.surefire.log.api.NullConsoleLogger;
import org.apache.maven.plugins.surefire.report.TestSuiteXmlParser;
public class Read {
  public static void main(String[] arguments) throws Exception {
    for (File file : new File("reports").listFiles()) {
      String name = file.getName().replace(".xml", "");
      try {
        int tests = 0, failed = 0;
        for (var suite : new TestSuiteXmlParser(new NullConsoleLogger()).parse(file.getPath())) {
          tests += suite.getNumberOfTests();
          failed += suite.getNumberOfFailures() + suite.getNumberOfErrors();
        }
        System.out.println(name + " surefire " + tests + "/" + failed);
      } catch (NullPointerException error) {
        System.out.println(name + " surefire error");
      }
    }
  }
}
JAVA
javac -cp "$(cat java/classpath)" java/Read.java
{ node read.mjs; venv/bin/python read.py; ./read-go; java -cp "$(cat java/classpath):java" Read; } | LC_ALL=C sort | tee seen
cat > expected <<'SEEN'
broken-suite go-junit 0/0
broken-suite junit2html 0/0
broken-suite junitparser 0/0
broken-suite surefire error
broken-suite test-results-parser 0/0 SKIP
flat go-junit 2/1
flat junit2html 2/1
flat junitparser 2/1
flat surefire 2/1
flat test-results-parser 2/1 FAIL
nested go-junit 2/1
nested junit2html 1/0
nested junitparser 2/1
nested surefire 2/1
nested test-results-parser 2/1 FAIL
no-counts go-junit 2/1
no-counts junit2html 2/1
no-counts junitparser 2/1
no-counts surefire 2/1
no-counts test-results-parser NaN/NaN SKIP
wrong-counts go-junit 2/1
wrong-counts junit2html 2/1
wrong-counts junitparser 2/1
wrong-counts surefire 2/1
wrong-counts test-results-parser 2/0 PASS
SEEN
diff expected seen && echo "As described."
