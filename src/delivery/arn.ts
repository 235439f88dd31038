import { type SendFailure, sendFailure } from "./sender.ts";

/*
 * ARNs, `arn:{partition}:{service}:{region}:{account}:{rest}`, parsed when something is sent. They are checked strictly,
 * because host names are built from them.
 */

/** The location of a region's services. */
export interface CloudRegion {
  partition: string;
  region: string;
  /** The end of every host name in the partition. */
  suffix: string;
}

/** The resource that an ARN names, and its location. */
export interface CloudResource extends CloudRegion {
  name: string;
}

const partitions = new Map([
  ["aws", { suffix: "amazonaws.com", regions: /^(?:us|eu|ap|sa|ca|me|af|il|mx)-[a-z]+-\d{1,2}$/ }],
  ["aws-cn", { suffix: "amazonaws.com.cn", regions: /^cn-[a-z]+-\d{1,2}$/ }],
  ["aws-us-gov", { suffix: "amazonaws.com", regions: /^us-gov-[a-z]+-\d{1,2}$/ }],
  ["aws-eusc", { suffix: "amazonaws.eu", regions: /^eusc-[a-z]+-[a-z]+-\d{1,2}$/ }],
]);

const ACCOUNT = /^\d{12}$/;

/** The resources that events are sent to, by service: the text before their name, and the valid names. */
const resources = {
  kinesis: { start: "stream/", names: /^[\w.-]{1,128}$/ },
  firehose: { start: "deliverystream/", names: /^[\w.-]{1,64}$/ },
  logs: { start: "log-group:", names: /^[\w./#-]{1,512}$/ },
} as const;

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const ROLE = /^role\/(?:[\w+=,.@-]+\/)*[\w+=,.@-]{1,64}$/;

const unusable = (member: string, problem: string, expected: string): SendFailure =>
  sendFailure(
    "configuration",
    `invalid_${member}`,
    `${member} cannot be used: ${problem}. Expected: ${expected}.`,
  );

const PARTITION_PROBLEM = `its partition is not one of ${[...partitions.keys()].join(", ")}`;
const REGION_PROBLEM = "its region does not belong to its partition";
const ACCOUNT_PROBLEM = "its account is not twelve digits";

/** The parts of an ARN; the last one is the rest, colons included. Missing parts are empty. */
function partsOf(arn: string) {
  const [start = "", partition = "", service = "", region = "", account = "", ...rest] = arn.split(":");
  return { start, partition, service, region, account, rest: rest.join(":") };
}

/**
 * Parses the ARN of a stream, delivery stream or log group. The `:*` at the end of a log group's ARN is dropped.
 *
 * @param member the field of the target that contains it, for the message
 * @returns a `configuration` failure for any other string
 */
export function parseResource(
  member: string,
  arn: string,
  service: keyof typeof resources,
): CloudResource | SendFailure {
  const { start, names } = resources[service];
  const invalid = (problem: string): SendFailure =>
    unusable(member, problem, `arn:aws:${service}:us-east-1:123456789012:${start}NAME`);
  const parts = partsOf(arn);
  if (parts.start !== "arn") return invalid("it is not an ARN");
  const partition = partitions.get(parts.partition);
  if (!partition) return invalid(PARTITION_PROBLEM);
  if (parts.service !== service) return invalid(`its service is not ${service}`);
  if (!partition.regions.test(parts.region)) return invalid(REGION_PROBLEM);
  if (!ACCOUNT.test(parts.account)) return invalid(ACCOUNT_PROBLEM);
  if (!parts.rest.startsWith(start)) return invalid(`its resource does not start with ${start}`);
  const rest = parts.rest.slice(start.length);
  const name = service === "logs" ? rest.replace(/:\*$/, "") : rest;
  if (!names.test(name)) return invalid("its name is too long or contains invalid characters");
  return { partition: parts.partition, region: parts.region, suffix: partition.suffix, name };
}

/**
 * Parses the ARN of a bucket, which names no region.
 *
 * @param region the bucket's region
 * @returns a `configuration` failure for any other ARN, including an access point's, and for a region of another partition
 */
export function parseBucket(arn: string, region: string): CloudResource | SendFailure {
  const invalid = (problem: string): SendFailure =>
    unusable("bucket_arn", problem, "arn:aws:s3:::NAME, the name as its service defines it");
  const parts = partsOf(arn);
  if (parts.start !== "arn") return invalid("it is not an ARN");
  const partition = partitions.get(parts.partition);
  if (!partition) return invalid(PARTITION_PROBLEM);
  if (parts.service !== "s3") return invalid("its service is not s3");
  if (parts.region !== "" || parts.account !== "")
    return invalid("it has a region or an account, which the ARN of a bucket does not have");
  if (!BUCKET.test(parts.rest) || parts.rest.includes(".."))
    return invalid("its name is not a valid bucket name");
  if (!partition.regions.test(region))
    return unusable(
      "region",
      `it does not belong to the partition ${parts.partition}`,
      "a region such as us-east-1",
    );
  return { partition: parts.partition, region, suffix: partition.suffix, name: parts.rest };
}

/** The `configuration` failure for a string that is not the ARN of a role in this partition; otherwise undefined. */
export function problemOfRole(arn: string, partition: string): SendFailure | undefined {
  const invalid = (problem: string): SendFailure =>
    unusable("role_arn", problem, `arn:${partition}:iam::123456789012:role/NAME`);
  const parts = partsOf(arn);
  if (parts.start !== "arn") return invalid("it is not an ARN");
  if (parts.partition !== partition) return invalid("its partition differs from the target's");
  if (parts.service !== "iam" || parts.region !== "") return invalid("it is not the ARN of a role");
  if (!ACCOUNT.test(parts.account)) return invalid(ACCOUNT_PROBLEM);
  if (arn.length > 2048 || !ROLE.test(parts.rest)) return invalid("it is not the ARN of a role");
  return undefined;
}
