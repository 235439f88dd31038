import type { ComponentChildren } from "preact";
import type { Schemas } from "../api/client.ts";
import { nameOf } from "../api/names.ts";
import { useIssuers } from "../api/operation_queries.ts";
import { useAuthorities, useBackends, usePolicies } from "../api/queries.ts";
import { link } from "../base/routes.ts";
import { CERTIFICATES } from "../changes/agent_settings.ts";
import {
  type Answers,
  canPassThrough,
  type Faults,
  issuerFor,
  networksIn,
  objectionOf,
} from "../changes/wizard.ts";
import { count } from "../facts/amounts.ts";
import { describeBackend } from "../facts/backends.ts";
import { Choice, Choices, LongText, Segments, Text, Tick } from "../widgets/inputs.tsx";
import { Loaded } from "../widgets/page.tsx";
import { backendCollections, optionsOf } from "./object_inputs.tsx";

/*
 * The questions that lead to a new edge.
 */

interface StepProps {
  answers: Answers;
  set: (more: Partial<Answers>) => void;
  faults: Faults;
}

/** A question: its name, its answer in words, the answers that its form asks for, and the form. */
interface Step {
  name: string;
  title: string;
  note: string;
  answer: (answers: Answers, nameById: (id: string) => string) => string;
  fields: (keyof Answers)[];
  form: (props: StepProps) => ComponentChildren;
}

/** The questions, in order. */
export const steps: Step[] = [
  {
    name: "Host",
    title: "Which host do clients connect to?",
    note: "Its DNS name must lead to your machines.",
    answer: ({ hosts }) => hosts,
    fields: ["hosts"],
    form: HostStep,
  },
  {
    name: "Backend",
    title: "Where does its traffic go?",
    note: "Servers that your machines can reach.",
    answer: ({ to, address, backend }, nameById) => (to === "new" ? address : nameById(backend)),
    fields: ["address", "backend"],
    form: BackendStep,
  },
  {
    name: "Who gets in",
    title: "Who gets in?",
    note: "Decided by the client's address. You can add further checks later.",
    answer: (answers, nameById) => whoIn(answers, nameById),
    fields: ["policies", "networks", "authorities"],
    form: WhoStep,
  },
  {
    name: "Certificate",
    title: "Where does its certificate come from?",
    note: "The private key never leaves the machines.",
    answer: (answers) => certificateIn(answers),
    fields: ["certificate", "agreed"],
    form: CertificateStep,
  },
];

/** Who gets in, in words. */
export function whoIn(answers: Answers, nameById: (id: string) => string): string {
  const { who, policies } = answers;
  if (who === "everybody") return "Everybody";
  if (who === "policies") return policies.map(nameById).join(" or ");
  const { rules } = networksIn(answers);
  const allowed = rules.filter(({ action }) => action === "allow").length;
  const denied = rules.length - allowed;
  return `${count(allowed, "network")}${denied > 0 ? `, except ${denied}` : ""}`;
}

/** Where the certificate comes from, in words. */
export const certificateIn = ({ kind, certificate }: Answers): string =>
  kind === "tcp"
    ? "None"
    : {
        "": "Not chosen",
        known: "Issued automatically",
        letsencrypt: "Let's Encrypt, automatic",
        file: "A file on each machine",
        backend: "The backend's",
      }[certificate];

function HostStep({ answers, set, faults }: StepProps) {
  return (
    <>
      <Text
        label="Host"
        isMono
        required
        placeholder={answers.kind === "tcp" ? "db.example.com:5432" : "www.example.com"}
        hint={
          answers.kind === "tcp"
            ? "Host and port. Several are separated by commas."
            : "Port 443, unless you add another. Several are separated by commas."
        }
        fault={faults.hosts}
        value={answers.hosts}
        set={(hosts) => set({ hosts })}
      />
      <Segments
        label="Kind"
        hint={
          {
            https: "Web traffic: paths, headers, rules for requests.",
            tls: "Any protocol over TLS. Clients say which host they mean.",
            tcp: "Any protocol. A port belongs to one host.",
          }[answers.kind]
        }
        value={answers.kind}
        options={[
          { value: "https", text: "HTTPS" },
          { value: "tls", text: "TLS" },
          { value: "tcp", text: "TCP" },
        ]}
        set={(kind) => set({ kind: kind === "tls" || kind === "tcp" ? kind : "https" })}
      />
      <Text
        label="Name"
        hint="Optional. Defaults to the host"
        value={answers.name}
        set={(name) => set({ name })}
      />
    </>
  );
}

/** An option of which one is chosen, and what it asks for. */
function Option(props: {
  group: string;
  title: string;
  note: ComponentChildren;
  isChosen: boolean;
  /** Why it cannot be chosen, if it cannot. */
  whyNot?: string | undefined;
  choose: () => void;
  children?: ComponentChildren;
}) {
  return (
    <div class={props.isChosen ? "choice on" : "choice"}>
      <input
        type="radio"
        class="radio"
        name={props.group}
        id={`${props.group}-${props.title}`}
        checked={props.isChosen}
        disabled={props.whyNot !== undefined}
        onChange={props.choose}
      />
      <label htmlFor={`${props.group}-${props.title}`}>
        <b>{props.title}</b>
        <p>{props.whyNot ?? props.note}</p>
      </label>
      {props.isChosen && props.children !== undefined && <div class="inside stack">{props.children}</div>}
    </div>
  );
}

function BackendStep({ answers, set, faults }: StepProps) {
  const query = useBackends();
  const options = optionsOf(
    backendCollections(),
    query.data ?? [],
    (one) => `${nameOf(one)} · ${describeBackend(one)}`,
  );
  return (
    <>
      <Option
        group="to"
        title="A new server"
        note="One address. You can add others, or split traffic, later."
        isChosen={answers.to === "new"}
        choose={() => set({ to: "new" })}
      >
        <Text
          label="Address"
          isMono
          required
          placeholder="10.0.4.12:8080"
          hint="Host and port, as your machines reach it"
          fault={faults.address}
          value={answers.address}
          set={(address) => set({ address })}
        />
        <Tick
          label="Encrypt the traffic to it (TLS)"
          value={answers.isEncrypted}
          set={(isEncrypted) => set({ isEncrypted })}
        />
      </Option>
      <Loaded query={query}>
        {() =>
          (answers.to === "known" || options.length > 0) && (
            <Option
              group="to"
              title="An existing backend"
              note="Several edges can share one."
              isChosen={answers.to === "known"}
              choose={() => set({ to: "known" })}
            >
              <Choice
                label="Backend"
                fault={faults.backend}
                value={answers.backend}
                options={[{ value: "", text: "Choose one…" }, ...options]}
                set={(backend) => set({ backend })}
              />
            </Option>
          )
        }
      </Loaded>
    </>
  );
}

function WhoStep({ answers, set, faults }: StepProps) {
  const query = usePolicies();
  const options = optionsOf(["/ip_policies"], query.data ?? []);
  return (
    <>
      <Option
        group="who"
        title="Everybody"
        note="Every address on the internet."
        isChosen={answers.who === "everybody"}
        choose={() => set({ who: "everybody" })}
      />
      <Loaded query={query}>
        {() =>
          (answers.who === "policies" || options.length > 0) && (
            <Option
              group="who"
              title="Addresses of IP policies"
              note="Lists that several edges share. A deny in any of them refuses."
              isChosen={answers.who === "policies"}
              choose={() => set({ who: "policies" })}
            >
              <Choices
                label="IP policies"
                fault={faults.policies}
                values={answers.policies}
                options={options}
                none="No IP policies yet."
                set={(chosen) => set({ policies: chosen })}
              />
            </Option>
          )
        }
      </Loaded>
      <Option
        group="who"
        title="Only addresses that I enter"
        note="Creates an IP policy for this edge."
        isChosen={answers.who === "addresses"}
        choose={() => set({ who: "addresses" })}
      >
        <LongText
          label="Networks, one per line"
          rows={4}
          placeholder={"203.0.113.0/24, allow, Porto office\n198.51.100.77, deny"}
          hint="A network, then optionally allow or deny, and a description"
          fault={faults.networks}
          value={answers.networks}
          set={(networks) => set({ networks })}
        />
      </Option>
      {answers.kind !== "tcp" && (
        <Tick
          label="Also ask for a client certificate"
          value={answers.needsCertificate}
          set={(needsCertificate) => set({ needsCertificate })}
        />
      )}
      {answers.needsCertificate && answers.kind !== "tcp" && (
        <Authorities answers={answers} set={set} faults={faults} />
      )}
    </>
  );
}

function Authorities({ answers, set, faults }: StepProps) {
  return (
    <Loaded query={useAuthorities()}>
      {(authorities) => (
        <Choices
          label="Certificates of these authorities"
          none={
            <>
              No authorities yet.{" "}
              <a class="link" href={link("authorities")}>
                Add one under Authorities
              </a>
              , then come back: your answers stay.
            </>
          }
          fault={faults.authorities}
          values={answers.authorities}
          options={optionsOf(["/certificate_authorities"], authorities)}
          set={(chosen) => set({ authorities: chosen })}
        />
      )}
    </Loaded>
  );
}

function CertificateStep(props: StepProps) {
  return (
    <Loaded query={useIssuers()}>{(issuers) => <CertificateSources {...props} issuers={issuers} />}</Loaded>
  );
}

type CertificateSourcesProps = StepProps & { issuers: Schemas["CertificateIssuer"][] };

function CertificateSources({ answers, set, faults, issuers }: CertificateSourcesProps) {
  const issuer = issuerFor(answers, issuers);
  const objection = objectionOf(answers);
  return (
    <>
      {issuer ? (
        <Option
          group="certificate"
          title={`Issued by ${nameOf(issuer)}`}
          note="It issues and renews certificates for this host automatically."
          isChosen={answers.certificate === "known"}
          choose={() => set({ certificate: "known" })}
        />
      ) : (
        <Option
          group="certificate"
          title="Issued by Let's Encrypt"
          note="Issued and renewed automatically. The host must lead to your machines, on port 80."
          isChosen={answers.certificate === "letsencrypt"}
          whyNot={objection}
          choose={() => set({ certificate: "letsencrypt" })}
        >
          <Tick
            label="We agree to the terms of service of Let's Encrypt"
            fault={faults.agreed}
            value={answers.agreed}
            set={(agreed) => set({ agreed })}
          />
        </Option>
      )}
      <Option
        group="certificate"
        title="A file on each machine"
        note={
          <>
            One PEM file with the chain and the key, in <code>{CERTIFICATES}</code>. It is read again when it
            changes.
          </>
        }
        isChosen={answers.certificate === "file"}
        choose={() => set({ certificate: "file" })}
      />
      {answers.kind === "tls" && (
        <Option
          group="certificate"
          title="The backend's"
          note="TLS ends at the backend."
          isChosen={answers.certificate === "backend"}
          whyNot={canPassThrough(answers) ? undefined : "Not possible with a client certificate."}
          choose={() => set({ certificate: "backend" })}
        />
      )}
    </>
  );
}
