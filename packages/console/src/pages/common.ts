/*
 * What the first view loads. Each page imports this file, so that all of it is one script and not one for every set of pages
 * that happens to share something.
 */
import "../api/events.ts";
import "../api/names.ts";
import "../api/rules.ts";
import "../api/session.ts";
import "../base/links.ts";
import "../base/networks.ts";
import "../base/theme.ts";
import "../changes/drafts.ts";
import "../changes/modules.ts";
import "../changes/operations.ts";
import "../changes/pending.ts";
import "../changes/request.ts";
import "../changes/settling.ts";
import "../changes/wizard.ts";
import "../facts/agents.ts";
import "../facts/causes.ts";
import "../facts/certificates.ts";
import "../facts/entrances.ts";
import "../facts/happened.ts";
import "../facts/known.ts";
import "../facts/served.ts";
import "../facts/traffic.ts";
import "../widgets/access_test.tsx";
import "../widgets/added.tsx";
import "../widgets/chart.tsx";
import "../widgets/dialog.tsx";
import "../widgets/field.tsx";
import "../widgets/icons.tsx";
import "../widgets/inputs.tsx";
import "../widgets/install.tsx";
import "../widgets/keyboard.ts";
import "../widgets/list.tsx";
import "../widgets/menu.tsx";
import "../widgets/navigation.ts";
import "../widgets/page.tsx";
import "../widgets/sign_out.tsx";
import "../widgets/state.tsx";
import "../widgets/table.tsx";
import "../widgets/text.tsx";
import "../widgets/used_by.tsx";
import "./edge_traffic.tsx";
