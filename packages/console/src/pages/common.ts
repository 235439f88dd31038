/*
 * What the first view loads. Each page imports this file, so that all of it is one script and not one for every set of pages
 * that happens to share something.
 */
import "../api/events.ts";
import "../api/names.ts";
import "../api/session.ts";
import "../changes/pending.ts";
import "../changes/operations.ts";
import "../facts/entrances.ts";
import "../facts/happened.ts";
import "../widgets/icons.tsx";
import "../widgets/keyboard.ts";
import "../base/links.ts";
import "../widgets/navigation.ts";
import "../base/theme.ts";
import "../widgets/access_test.tsx";
import "../widgets/dialog.tsx";
import "../widgets/page.tsx";
import "../widgets/table.tsx";
import "../widgets/text.tsx";
