import * as z from "zod";
import { answerMessage, type MessageReply, type ToolCall } from "./protocol.ts";
import type { Api } from "./shared/api.ts";
import { INSTRUCTIONS, tools } from "./tools.ts";

/** How long clients can keep the list of tools, in milliseconds: it only depends on the role and the release. */
const LIST_KEPT = 300_000;

/** Serves one message with the tools that the caller's role allows. @param version the release of the service */
export function serve(
  header: (name: string) => string | undefined,
  message: unknown,
  api: Api,
  version: string,
): Promise<MessageReply> {
  const allowed = tools.filter(({ role }) => api.reaches(role));
  return answerMessage(message, header, {
    info: { name: "edge-configuration", title: "Edge configuration", version },
    instructions: INSTRUCTIONS,
    list: async () => {
      const { tools: all } = ToolList.parse(await api.asset("mcp/tools.json"));
      return {
        tools: all.filter(({ name }) => allowed.some((tool) => tool.name === name)),
        ttlMs: LIST_KEPT,
      };
    },
    call: async ({ name, input, canAsk, answers }: ToolCall) => {
      const tool = allowed.find((each) => each.name === name);
      if (!tool) return undefined;
      api.calls(tool.name);
      try {
        const question = canAsk ? await tool.ask(input, api) : undefined;
        if (question === undefined) return resultOf(await tool.call(input, api));
        const { [QUESTION]: answer } = Answers.safeParse(answers).data ?? {};
        if (answer === undefined) return asking(question);
        return Agreed.safeParse(answer).success ? resultOf(await tool.call(input, api)) : DECLINED;
      } catch (error) {
        return { ...resultOf(await api.errorOf(error)), isError: true };
      }
    },
  });
}

/** The static asset with the list of all tools, which the build writes. */
const ToolList = z.looseObject({ tools: z.array(z.looseObject({ name: z.string() })) });

/** The name of the question in a result and in the call that answers it. */
const QUESTION = "confirm";

/** The user's answers, in the repeated call. */
const Answers = z.looseObject({ [QUESTION]: z.unknown() });

/** The only answer that counts as agreement. */
const Agreed = z.looseObject({
  action: z.literal("accept"),
  content: z.looseObject({ apply: z.literal(true) }),
});

/** The result that makes the client ask its user. */
const asking = (message: string) => ({
  resultType: "input_required",
  inputRequests: {
    [QUESTION]: {
      method: "elicitation/create",
      params: {
        mode: "form",
        message,
        requestedSchema: {
          type: "object",
          properties: { apply: { type: "boolean", title: "Apply", description: "Apply the plan" } },
          required: ["apply"],
        },
      },
    },
  },
});

/** A result as structured content, and the same JSON as text. */
const resultOf = (result: object) => ({
  content: [{ type: "text", text: JSON.stringify(result) }],
  structuredContent: result,
});

/** The result if the user does not agree. */
const DECLINED = {
  ...resultOf({ error_code: "DECLINED", msg: "The user declined. Nothing was changed." }),
  isError: true,
};
